// What the harness reads of a document and does to its elements. It runs in an isolated world: the
// page's own scripts neither see it nor can change what it uses. Elements are named by numbers that
// stay the same as long as the document lives.
'use strict';
globalThis.pact ??= (() => {
  const numbers = new WeakMap(), elements = new Map();
  let last = 0;
  const number = el => {
    if (!numbers.has(el)) { numbers.set(el, ++last); elements.set(last, new WeakRef(el)); }
    return numbers.get(el);
  };
  const get = n => { const el = elements.get(n)?.deref(); return el && el.isConnected ? el : null; };
  const fold = s => (s || '').replace(/\s+/g, ' ').trim();
  const cut = (s, most) => s.length > most ? s.slice(0, most) + '…' : s;

  // roots are the document and every open shadow root in it.
  const roots = () => {
    const all = [document];
    for (let i = 0; i < all.length; i++)
      for (const el of all[i].querySelectorAll('*')) if (el.shadowRoot) all.push(el.shadowRoot);
    return all;
  };
  const every = (all, selector) => all.flatMap(root => [...root.querySelectorAll(selector)]);
  const up = el => el.parentElement || (el.getRootNode() instanceof ShadowRoot ? el.getRootNode().host : null);
  const within = (el, outer) => { for (let at = el; at; at = up(at)) if (at === outer) return true; return false; };

  const shown = el => {
    if (!el.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    const r = el.getBoundingClientRect();
    return r.width > 2 && r.height > 2 && r.right + scrollX > 0 && r.bottom + scrollY > 0;
  };
  const enabled = el => {
    if (el.matches(':disabled') || el.getAttribute('aria-disabled') === 'true') return false;
    for (let at = el; at; at = up(at)) if (at.inert) return false;
    return true;
  };

  // Text as a reader sees it, and all text of the document whether it is laid out or not.
  const visibleText = all => {
    const parts = [document.body ? document.body.innerText : ''];
    for (const root of all.slice(1)) for (const child of root.children) if (shown(child)) parts.push(child.innerText || '');
    for (const el of every(all, 'input, textarea')) {
      const button = ['submit', 'button', 'reset'].includes(el.type);
      if (el.type !== 'password' && el.type !== 'hidden' && (button || el.readOnly || el.disabled) && shown(el)) parts.push(el.value);
    }
    return parts.join('\n').replace(/[^\S\n]+/g, ' ').replace(/ ?\n[\n ]*/g, '\n').trim();
  };
  const inline = new Set('A ABBR B BDI BDO CITE CODE DATA DFN EM FONT I KBD LABEL MARK Q S SAMP SMALL SPAN STRONG SUB SUP TIME U VAR WBR'.split(' '));
  const silent = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT']);
  const allText = node => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (silent.has(node.nodeName)) return '';
    const inside = [...node.childNodes].map(allText).join('') + (node.shadowRoot ? ' ' + allText(node.shadowRoot) : '');
    return node.nodeType === Node.ELEMENT_NODE && !inline.has(node.nodeName) ? ' ' + inside + ' ' : inside;
  };
  const alternatives = all => [...new Set(every(all, '[alt], [aria-label], [title]').flatMap(el =>
    ['alt', 'aria-label', 'title'].map(name => fold(el.getAttribute(name)))).filter(Boolean))];

  // labelOf is what names an element: its labels, what aria says, what stands around it.
  const labelOf = el => {
    const parts = [...(el.labels || [])].map(l => l.innerText || l.textContent);
    const by = el.getAttribute('aria-labelledby');
    if (by) for (const id of by.split(/\s+/)) parts.push(el.getRootNode().getElementById(id)?.textContent);
    parts.push(el.getAttribute('aria-label'), el.getAttribute('title'));
    return fold([...new Set(parts.map(fold).filter(Boolean))].join(' '));
  };
  // besides is the text before a field that no label names, as tables and plain forms have it.
  const besides = el => {
    for (let at = el, steps = 0; at && steps < 3; at = up(at), steps++) {
      for (let prev = at.previousSibling; prev; prev = prev.previousSibling) {
        const text = fold(prev.textContent);
        if (text && !(prev.querySelector && prev.querySelector('input'))) return cut(text, 80);
      }
    }
    return '';
  };
  const formOf = el => { for (let at = el; at; at = up(at)) { if (at.form) return number(at.form); if (at.tagName === 'FORM') return number(at); } return 0; };

  const cookieWords = /cookie|gdpr|onetrust|usercentrics|didomi|truste|consent-?(banner|manager)/i;
  // A banner about cookies has buttons that accept and reject, and neither is the User's decision.
  const aboutCookies = el => {
    for (let at = el, steps = 0; at && at !== document.body && steps < 8; at = up(at), steps++) {
      if (cookieWords.test(at.id + ' ' + at.getAttribute('class') + ' ' + at.getAttribute('aria-label'))) return true;
      const apart = at.matches('dialog, aside, [role=dialog], [role=alertdialog], [role=region]') || ['fixed', 'sticky'].includes(getComputedStyle(at).position);
      if (apart && /cookie|クッキー|쿠키/i.test(at.textContent)) return true;
    }
    return false;
  };

  const textual = new Set(['text', 'email', 'tel', 'password', 'number', 'search', 'url', '']);
  const fields = all => every(all, 'input, textarea').filter(el => el.tagName === 'TEXTAREA' || textual.has(el.getAttribute('type')?.toLowerCase() ?? '') || textual.has(el.type)).map(el => ({
    n: number(el), type: el.type, name: el.name, id: el.id, label: labelOf(el), beside: labelOf(el) ? '' : besides(el),
    placeholder: el.placeholder || '', autocomplete: el.autocomplete || el.getAttribute('autocomplete') || '', inputMode: el.inputMode || '',
    maxLength: el.maxLength, filled: el.value !== '', readOnly: el.readOnly, shown: shown(el), enabled: enabled(el), form: formOf(el),
    masked: el.type === 'password' || ['disc', 'circle', 'square'].includes(getComputedStyle(el).webkitTextSecurity),
  }));

  const boxSelector = 'input[type=checkbox], [role=checkbox], [role=switch], [role=menuitemcheckbox]';
  const boxes = all => {
    let found = every(all, boxSelector);
    // A widget of a design system may be a role around, or beside, a native box that nobody sees.
    found = found.filter(el => el.tagName === 'INPUT' || !found.some(other => other !== el && other.tagName === 'INPUT' && within(other, el)));
    const roles = found.filter(el => el.tagName !== 'INPUT');
    const mirrors = new Map();
    found = found.filter(el => {
      if (el.tagName !== 'INPUT' || !(el.getAttribute('aria-hidden') === 'true' || el.tabIndex < 0) || el.labels?.length) return true;
      const twin = roles.find(role => role.parentElement === el.parentElement);
      if (twin) mirrors.set(twin, el);
      return !twin;
    });
    return found.map(el => {
      // The row is the widest surrounding that belongs to this box alone.
      let row = el;
      for (let at = up(el); at && at !== document.body && at.tagName !== 'FORM'; at = up(at)) {
        if (found.some(other => other !== el && within(other, at))) break;
        if (at.matches('main, section, article, dialog') && found.length === 1) break;
        row = at;
      }
      const mirror = mirrors.get(el);
      const native = el.tagName === 'INPUT';
      return {
        n: number(el), native, name: el.name || mirror?.name || el.getAttribute('name') || '', value: (native ? el.value : mirror?.value || el.getAttribute('value')) || '',
        id: el.id, data: Object.values(el.dataset).concat(Object.values(row.dataset)), label: labelOf(el) || (native ? '' : fold(el.innerText)), row: cut(fold(allText(row)), 600),
        checked: native ? el.checked : el.getAttribute('aria-checked') === 'true', enabled: enabled(el) && !(el.readOnly === true && !native),
        required: el.required === true, shown: shown(el) || [...(el.labels || [])].some(shown) || shown(row), cookie: aboutCookies(el), form: formOf(el),
      };
    });
  };

  const buttonSelector = 'button, input[type=submit], input[type=button], input[type=image], [role=button], [role=link], a[href], [onclick]';
  const buttons = all => {
    const found = every(all, buttonSelector).filter(el => !el.matches(boxSelector) && el !== document.body && el.type !== 'reset');
    return found.filter(el => !(el.matches('[onclick]:not(button, a, input, [role])') && found.some(other => other !== el && within(other, el)))).map(el => {
      const image = el.querySelector('img[alt], svg title');
      const text = fold(el.tagName === 'INPUT' ? (el.type === 'image' ? el.alt : el.value || (el.type === 'submit' ? 'Submit' : '')) : el.innerText || (el.shadowRoot ? allText(el.shadowRoot) : ''));
      return {
        n: number(el), tag: el.tagName.toLowerCase(), text: cut(text || fold(image?.alt || image?.textContent), 120), aria: fold([el.getAttribute('aria-label'), el.title].filter(Boolean).join(' ')),
        name: el.name || '', value: el.tagName === 'INPUT' ? '' : el.value || '', id: el.id, classes: el.getAttribute('class') || '',
        action: el.getAttribute('formaction') || el.getAttribute('href') || '', submits: el.type === 'submit' || el.type === 'image', form: formOf(el),
        shown: shown(el), enabled: enabled(el), cookie: aboutCookies(el),
      };
    }).slice(0, 300);
  };

  const look = recipe => {
    const all = roots();
    const named = {};
    for (const [step, selector] of Object.entries(recipe)) {
      // Only a box may be one that is not seen: its label stands for it.
      let found = [];
      try { found = every(all, selector); } catch { /* a selector that is none matches nothing */ }
      const match = found.find(shown) || (step.startsWith('scope:') ? found[0] : null);
      named[step] = match ? number(match) : 0;
    }
    const forms = every(all, 'form');
    const refresh = every(all, 'meta[http-equiv="refresh" i]').length > 0;
    return {
      url: location.href, origin: location.origin, title: document.title, ready: document.readyState, top: window === top, width: innerWidth, height: innerHeight,
      text: cut(visibleText(all), 200000), content: cut(fold(allText(document.body || document)), 200000), alternatives: alternatives(all),
      fields: fields(all), boxes: boxes(all), buttons: buttons(all), recipe: named, alert: cut(fold(every(all, '[role=alert], [aria-live=assertive], .error, .alert').filter(shown).map(el => el.innerText).join(' ')), 200),
      leaving: refresh || forms.some(form => form.elements.length && ![...form.elements].some(el => el.type !== 'hidden' && shown(el))),
    };
  };

  // aim brings an element into view and says where to click it, and whether a click there reaches it.
  let clicked = false;
  const aim = n => {
    const el = get(n);
    if (!el) return null;
    el.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    el.addEventListener('click', () => { clicked = true; }, { capture: true, once: true });
    clicked = false;
    const rects = [...el.getClientRects()].filter(r => r.width > 2 && r.height > 2);
    const reaches = (x, y) => {
      let hit = document.elementFromPoint(x, y);
      while (hit?.shadowRoot?.elementFromPoint(x, y) && hit.shadowRoot.elementFromPoint(x, y) !== hit) hit = hit.shadowRoot.elementFromPoint(x, y);
      if (!hit || !within(hit, el)) return false;
      for (let at = hit; at && at !== el; at = up(at)) if (at.matches('a[href], button')) return false;
      return true;
    };
    for (const r of rects)
      for (const [fx, fy] of [[.5, .5], [.1, .5], [.9, .5], [.5, .1], [.02, .5]]) {
        const x = r.left + r.width * fx, y = r.top + r.height * fy;
        if (reaches(x, y)) { const first = el.getClientRects()[0]; return { x: x - first.left, y: y - first.top, hit: true }; }
      }
    return { x: 0, y: 0, hit: false };
  };
  const wasClicked = () => clicked;
  const press = n => { const el = get(n); if (el) el.click(); return !!el; };
  // handles are the elements that a reader would click for a box: itself when it is seen, its label, the drawing beside it.
  const handles = n => {
    const el = get(n);
    if (!el) return [];
    const near = [el, ...(el.labels || []), el.nextElementSibling, el.parentElement].filter(Boolean);
    return [...new Set(near)].filter(shown).map(number);
  };
  const isChecked = n => { const el = get(n); return el ? (el.tagName === 'INPUT' ? el.checked : el.getAttribute('aria-checked') === 'true') : null; };

  const focus = n => {
    const el = get(n);
    if (!el) return false;
    el.scrollIntoView({ block: 'center', behavior: 'instant' });
    el.focus();
    if (el.select) el.select();
    return true;
  };
  const holds = (n, text) => get(n)?.value === text;
  const put = (n, text) => {
    const el = get(n);
    if (!el) return false;
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(el), 'value').set.call(el, text);
    for (const type of ['input', 'change']) el.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
    return true;
  };

  return { look, aim, wasClicked, press, handles, isChecked, focus, holds, put, get, roots, every, shown };
})();
