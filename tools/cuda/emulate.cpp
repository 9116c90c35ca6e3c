// The decoding kernels run on the processor, a thread for a thread, against plain sums: for machines without a GPU.
//
//     (cd crates/engine/cuda/src/kernels && cat numbers.cuh rows.cuh attend.cuh listed.cuh grouped.cuh logits.cuh best.cuh experts.cuh spans.cuh) |
//         sed -e 's/extern __shared__/extern/; s/__shared__/static/; /#include <cuda/d' > /tmp/kernels.inc
//     g++ -std=c++20 -O1 -w -pthread -DKERNELS='"/tmp/kernels.inc"' tools/cuda/emulate.cpp -o /tmp/emulate && /tmp/emulate
//
// Barriers, shuffles and shared memory are those of one block at a time; memory order and races are not tested.
#include <cmath>
#include <cstring>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <thread>
#include <algorithm>
#include <pthread.h>
#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(x)
using std::min; using std::max;
struct float4{float x,y,z,w;}; static float4 make_float4(float a,float b,float c,float d){return {a,b,c,d};}
struct __half{unsigned short b;}; struct __nv_bfloat16{unsigned short b;};
static float __half2float(__half h){return 0;} static __half __float2half_rn(float f){return {0};}
static float __bfloat162float(__nv_bfloat16 h){unsigned u=(unsigned)h.b<<16;float f;memcpy(&f,&u,4);return f;}
static __nv_bfloat16 __float2bfloat16_rn(float f){unsigned u;memcpy(&u,&f,4);u+=0x7fff+((u>>16)&1);return {(unsigned short)(u>>16)};}
struct D{int x,y,z;}; thread_local D threadIdx,blockIdx,blockDim,gridDim;
static pthread_barrier_t all; static pthread_barrier_t warps[8]; static double slots[8][32]; 
static void __syncthreads(){pthread_barrier_wait(&all);} static void __syncwarp(){pthread_barrier_wait(&warps[threadIdx.x>>5]);}
template<class T> T __shfl_xor_sync(unsigned,T v,int o){int w=threadIdx.x>>5,l=threadIdx.x&31; memcpy(&slots[w][l],&v,sizeof v);__syncwarp();T r;memcpy(&r,&slots[w][l^o],sizeof r);__syncwarp();return r;}
static unsigned __ballot_sync(unsigned,bool b){unsigned m=0;double d=b;int w=threadIdx.x>>5,l=threadIdx.x&31;slots[w][l]=d;__syncwarp();for(int i=0;i<32;i++)if(slots[w][i])m|=1u<<i;__syncwarp();return m;}
static int __popc(unsigned m){return __builtin_popcount(m);}
static pthread_mutex_t one=PTHREAD_MUTEX_INITIALIZER; static int atomicAdd(int*a,int b){pthread_mutex_lock(&one);int r=*a;*a+=b;pthread_mutex_unlock(&one);return r;}
static float rsqrtf(float x){return 1/sqrtf(x);}
float shared[1<<18],row[1<<16],turns[1<<16];
#define EMULATED
static unsigned words[8][32][4]; static float halves(unsigned w,int i,__nv_bfloat16){unsigned u=(i?w>>16:w&0xffff)<<16;float f;memcpy(&f,&u,4);return f;} static float halves(unsigned,int,__half){return 0;}
template<class T> void multiply_16x8(float(&c)[4],unsigned a0,unsigned a2,unsigned b0,unsigned b1,T t){int w=threadIdx.x>>5,l=threadIdx.x&31;unsigned v[4]={a0,a2,b0,b1};memcpy(words[w][l],v,16);__syncwarp();
  int g=l>>2,q=l&3; for(int j=0;j<2;j++){int n=2*q+j; float s=0; for(int p=0;p<4;p++)for(int x=0;x<2;x++){s+=halves(words[w][g*4+p][0],x,t)*halves(words[w][n*4+p][2],x,t); s+=halves(words[w][g*4+p][1],x,t)*halves(words[w][n*4+p][3],x,t);} c[j]+=s;} __syncwarp();}
#include KERNELS
template<class F> void launch(int grid,int gy,int block,F f){
  pthread_barrier_init(&all,0,block); for(int w=0;w<block/32;w++)pthread_barrier_init(&warps[w],0,32);
  for(int y=0;y<gy;y++)for(int b=0;b<grid;b++){std::vector<std::thread>t;for(int i=0;i<block;i++)t.emplace_back([=]{threadIdx={i,0,0};blockIdx={b,y,0};blockDim={block,1,1};gridDim={grid,gy,1};f();});for(auto&x:t)x.join();}
}
static float rnd(){return (rand()/(float)RAND_MAX-0.5f)*4;}
static int bad=0; static void chk(const char*n,double a,double b,double tol){ if(!(fabs(a-b)<=tol)){ if(bad++<12)printf("BAD %s %g %g\n",n,a,b);} }
template<class T> T cv(float f){return narrow<T>(f);}
template<class T,int G,bool grouped=false> void listed(int heads,int kh,int size,int reach,float cap,bool dist,double tol){
  int slotsn=60,kw=2*kh*size; std::vector<T> kv(slotsn*kw),q(3*(heads*size+8)); for(auto&x:kv)x=cv<T>(rnd()); for(auto&x:q)x=cv<T>(rnd());
  std::vector<int> list,firsts={0,5,0},lengths={5,140,3}; for(int i=0;i<150;i++)list.push_back((i*37+11)%slotsn);
  int far=7; std::vector<float> ds((2*far+1)*heads); for(auto&x:ds)x=rnd();
  std::vector<T> out(3*heads*size); float scale=0.2f; int qs=heads*size+8;
  std::vector<float> slopes(heads),sinks(heads); for(auto&x:slopes)x=rnd()/20; for(auto&x:sinks)x=rnd(); const float*sl=dist?slopes.data():nullptr,*si=dist?sinks.data():nullptr;
  if constexpr(grouped)launch((3*kh+3)/4,1,128,[&]{attend_grouped<T,G>(q.data(),qs,kv.data(),kw,firsts.data(),lengths.data(),list.data(),3,heads,kh,size,scale,reach,cap,dist?ds.data():nullptr,far,sl,0,si,out.data());}); else {
  int each=G; int items=3*kh*((heads/kh+each-1)/each); launch((items+3)/4,1,128,[&]{attend_listed<T,G>(q.data(),qs,kv.data(),kw,firsts.data(),lengths.data(),list.data(),3,heads,kh,size,scale,reach,cap,dist?ds.data():nullptr,far,sl,0,si,out.data());});}
  for(int r=0;r<3;r++)for(int h=0;h<heads;h++){ int L=lengths[r],s0=reach>=0?std::max(0,L-1-reach):0; int k0=h/(heads/kh); std::vector<double>p; double m=-1e30,z=0;
    for(int i=s0;i<L;i++){double s=0;const T*at=&kv[(size_t)list[firsts[r]+i]*kw+k0*size];for(int c=0;c<size;c++)s+=widen(q[r*qs+h*size+c])*scale*widen(at[c]); if(dist)s+=ds[(std::min(L-1-i,far)+far)*heads+h]; if(dist)s+=slopes[h]*i; if(cap>0)s=cap*tanh(s/cap); p.push_back(s);m=std::max(m,s);}
    for(auto&x:p){x=exp(x-m);z+=x;} if(dist)z+=exp(sinks[h]-m); for(int c=0;c<size;c++){double o=0;for(int i=s0;i<L;i++)o+=p[i-s0]/z*widen(kv[(size_t)list[firsts[r]+i]*kw+(kh+k0)*size+c]); chk("listed",widen(out[r*heads*size+h*size+c]),o,tol);} }
  printf("listed heads %d/%d size %d reach %d cap %g dist %d bad %d\n",heads,kh,size,reach,cap,dist,bad);
}
void best(int V,int wanted,bool greedy,bool renorm,float cap,bool usebias,int equal=20){
  int R=3; std::vector<float> lg(R*V),bias(V); for(auto&x:lg)x=rnd(); for(auto&x:bias)x=rnd(); for(int i=0;i<equal;i++)lg[i*50%(R*V)]=equal>20?9:lg[7]; auto orig=lg; float factor=0.5;
  auto fin=[&](int r,int t){float v=orig[r*V+t]*factor; if(usebias)v+=bias[t]; return cap>0?cap*tanhf(v/cap):v;};
  std::vector<int> starts={0},mid,ruled; std::vector<std::vector<int>> forb(R),pen(R);
  for(int r=0;r<R;r++){ std::vector<int>o(V);for(int i=0;i<V;i++)o[i]=i; std::sort(o.begin(),o.end(),[&](int a,int b){float x=fin(r,a),y=fin(r,b);return x>y||(x==y&&a<b);});
    for(int i=0;i<r;i++)forb[r].push_back(o[i]); pen[r]={o[r],o[r+2],o[V-1]}; if(r==0)pen[r].clear();
    for(int t:forb[r])ruled.push_back(t); mid.push_back(ruled.size()); for(int t:pen[r])ruled.push_back(t); starts.push_back(ruled.size()); }
  std::vector<float> aside(ruled.size()+1),vals(R*wanted); std::vector<int> toks(R*wanted); std::vector<double> nm(R); float penalty=1.4;
  launch(R,1,256,[&]{ auto*b=usebias?bias.data():nullptr; best_tokens_of(lg.data(),V,V,b,factor,cap,starts.data(),mid.data(),ruled.data(),aside.data(),penalty,greedy,renorm,wanted,vals.data(),toks.data(),nm.data());});
  for(int r=0;r<R;r++){ std::vector<float> s(V); for(int t=0;t<V;t++)s[t]=fin(r,t); double z=0; std::vector<char> skip(V,0); if(renorm){for(int t:forb[r])skip[t]=1;for(int t:pen[r])skip[t]=1;} for(int t=0;t<V;t++)if(!skip[t])z+=exp((double)s[t]); double n=log(z); chk("norm",nm[r],n,1e-5);
    for(int t:pen[r]){float sh=greedy?0:(float)n; float x=s[t]-sh; x=x<0?x*penalty:x/penalty; s[t]=x+sh;} for(int t:forb[r])s[t]=-INFINITY;
    std::vector<int>o(V);for(int i=0;i<V;i++)o[i]=i; std::stable_sort(o.begin(),o.end(),[&](int a,int b){return s[a]>s[b];});
    for(int j=0;j<wanted;j++){chk("token",toks[r*wanted+j],o[j],0);chk("value",vals[r*wanted+j],s[o[j]]-n,1e-4);} }
  printf("best of %d wanted %d greedy %d renorm %d cap %g bad %d\n",V,wanted,greedy,renorm,cap,bad);
}
int main(){ srand(3);
  best(1777,1,true,false,0,true); best(13000,10,false,false,0,true); best(9001,16,false,true,0,false); best(1777,40,false,false,3.0f,true); best(1777,1,true,false,2.5f,false); best(9000,10,false,false,0,false,2000); best(120,10,false,false,0,true);
  listed<float,1>(3,3,16,-1,0,false,1e-4); listed<float,1>(4,2,64,3,0,false,1e-4); listed<float,4>(4,2,128,-1,5,true,1e-4); listed<float,4>(7,1,12,-1,0,true,1e-4); listed<float,1>(2,2,256,10,0,false,1e-4); listed<float,4>(6,2,80,6,0,true,1e-4);
  listed<bf16,1>(4,2,64,-1,0,true,3e-2); listed<bf16,4>(8,2,128,6,4,false,3e-2); listed<bf16,1>(2,2,12,-1,0,false,3e-2);
  listed<bf16,4,true>(8,2,128,-1,0,true,3e-2); listed<bf16,4,true>(6,2,64,6,4,false,3e-2); listed<bf16,8,true>(14,2,128,-1,0,true,3e-2); listed<bf16,4,true>(4,2,96,-1,0,false,3e-2); listed<bf16,8,true>(5,1,32,-1,3,true,3e-2);
  printf("bad %d\n",bad); return bad!=0; }
