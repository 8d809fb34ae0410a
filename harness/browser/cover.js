// Blacks out, before a picture is taken, every password field and every place that shows a secret,
// and takes the black away afterwards. The black lies over the page: nothing in the page changes.
'use strict';
globalThis.pactCover ??= (() => {
  let sheet = null, sum = '';
  const plain = s => s.normalize('NFKC').replace(/[\s\-‐‑‒–—_.]+/g, '').toLowerCase();

  // places finds each secret in the run of the document's text, however it is cut into elements and
  // whatever separators stand in it.
  const places = (all, secrets) => {
    const ranges = [];
    for (const root of all) {
      const start = root === document ? document.body : root;
      if (!start) continue;
      const walker = document.createTreeWalker(start, NodeFilter.SHOW_TEXT);
      let run = '';
      const at = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (['SCRIPT', 'STYLE'].includes(node.parentNode.nodeName)) continue;
        for (let i = 0; i < node.data.length; i++)
          for (const letter of plain(node.data[i])) { run += letter; at.push([node, i]); }
      }
      for (const secret of secrets)
        for (let i = run.indexOf(secret); i >= 0; i = run.indexOf(secret, i + secret.length)) {
          const range = document.createRange();
          range.setStart(...at[i]);
          const [node, offset] = at[i + secret.length - 1];
          range.setEnd(node, offset + 1);
          ranges.push(range);
        }
    }
    return ranges;
  };
  const rects = given => {
    const secrets = given.map(plain).filter(s => s.length > 3);
    const all = pact.roots();
    const hidden = pact.every(all, 'input, textarea, select').filter(el => el.type === 'password' ||
      (el.value && secrets.some(s => plain(el.value).includes(s))) || el.autocomplete === 'one-time-code');
    return [...places(all, secrets), ...hidden].flatMap(what => [...what.getClientRects()])
      .filter(r => r.width && r.height).map(r => [r.left + scrollX, r.top + scrollY, r.width, r.height]);
  };
  const key = found => JSON.stringify(found.map(r => r.map(Math.round)));

  const cover = secrets => {
    uncover(secrets);
    const found = rects(secrets);
    sum = key(found);
    sheet = document.createElement('div');
    sheet.style.cssText = 'all:initial;position:absolute;inset:auto;left:0;top:0;width:0;height:0;margin:0;padding:0;border:0;overflow:visible;background:none;z-index:2147483647';
    for (const [left, top, width, height] of found) {
      const black = document.createElement('div');
      black.style.cssText = `all:initial;position:absolute;background:#000;left:${left - 2}px;top:${top - 2}px;width:${width + 4}px;height:${height + 4}px`;
      sheet.append(black);
    }
    document.documentElement.append(sheet);
    try { sheet.popover = 'manual'; sheet.showPopover(); } catch { /* without popovers the z-index has to do */ }
    return found.length;
  };
  // uncover says whether all that is secret was black from cover until now.
  const uncover = secrets => {
    if (!sheet) return false;
    const whole = sheet.isConnected && key(rects(secrets)) === sum;
    sheet.remove();
    sheet = null;
    return whole;
  };
  return { cover, uncover };
})();
