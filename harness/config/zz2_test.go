package config
import ("testing";"os";"math/rand";"time";"fmt";"strings")
func TestZZ2(t *testing.T){
 full,_:=os.ReadFile("testdata/full.yaml")
 rng:=rand.New(rand.NewSource(7))
 d:=t.TempDir()
 f:=d+"/x.yaml"
 env:=environment(fullEnvironment)
 n:=0
 for st:=time.Now(); time.Since(st)<40*time.Second; n++ {
  b:=append([]byte{},full...)
  for k:=0;k<1+rng.Intn(6);k++{ if len(b)<2 {break}; p:=rng.Intn(len(b)); q:=min(len(b),p+rng.Intn(60)); switch rng.Intn(5){case 0:b[p]=byte(rng.Intn(128));case 1:b=append(b[:p:p],b[q:]...);case 2: b=append(b[:p:p],append([]byte{"{}[]:#&*!|>-?\"'\n\t "[rng.Intn(18)]},b[p:]...)...); case 3: b=append(b[:p:p],append(append([]byte{},b[rng.Intn(p+1):q]...),b[p:]...)...); case 4: b=b[:max(1,p)]} }
  os.WriteFile(f,b,0600)
  done:=make(chan error,1)
  go func(){ defer func(){ if e:=recover();e!=nil{done<-fmt.Errorf("PANIC %v",e)}}(); _,err:=Load(f,env,nil); if p,ok:=err.(Problems);ok{ for _,x:=range p {if strings.ContainsAny(x.String(),"\n\t"){done<-fmt.Errorf("LINES %q",x.String());return}}}; done<-nil}()
  select{case e:=<-done: if e!=nil {fmt.Println(e); os.WriteFile(fmt.Sprintf("/tmp/exp/fz/bad%d",n),b,0644)}
  case <-time.After(5*time.Second): fmt.Println("HANG",n); os.WriteFile(fmt.Sprintf("/tmp/exp/fz/hang%d",n),b,0644); return}
 }
 fmt.Println("runs",n)
}
