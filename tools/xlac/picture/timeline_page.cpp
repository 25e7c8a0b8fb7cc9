#include "timeline_page.h"

#include "json.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace xlac::cli {
namespace {

using Event = runtime::LaunchEvent;
using Kind = Event::Kind;

constexpr const char *kTimelineStyle = R"(
body{margin:0;font:14px/1.45 system-ui,sans-serif;color:#1c2430;background:#f6f7f9}
main{padding:20px}
h1{font-size:20px;margin:0 0 10px}
dl{display:flex;flex-wrap:wrap;gap:6px 26px;margin:0 0 14px}
dt{color:#5b6675;font-size:12px}dd{margin:0;font-variant-numeric:tabular-nums}
.tools{display:flex;gap:10px;align-items:center;margin-bottom:8px}
input[type=search]{font:inherit;padding:4px 8px;width:22em;border:1px solid #b9c1cc;border-radius:4px}
p,#found{color:#5b6675;font-size:12px;margin:0}
canvas{display:block;width:100%;background:#fff;border:1px solid #d5dae1;cursor:grab}
#details{min-height:6em;margin:8px 0 0;font:12px/1.45 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
)";

/// Spans are [begin, end, kind, number, amount] in nanoseconds, by begin. The
/// picture is drawn on a canvas, since a run may have thousands of spans.
constexpr const char *kTimelineScript = R"(
const data=JSON.parse(document.querySelector('#data').textContent),
 canvas=document.querySelector('canvas'),draw=canvas.getContext('2d'),
 details=document.querySelector('#details'),search=document.querySelector('input'),
 count=document.querySelector('#found');
const left=170,head=24,row=26,gap=4,rows=data.rows;
let from=0,to=data.end,drag=null,hover=null,chosen=null,words=[];
const ratio=()=>window.devicePixelRatio||1,wide=()=>canvas.clientWidth-left;
const at=time=>left+(time-from)/(to-from)*wide(),timeAt=x=>from+(x-left)/wide()*(to-from);
const amount=ns=>ns>=1e6?(ns/1e6).toFixed(3)+' ms':ns>=1e3?(ns/1e3).toFixed(2)+' µs':ns.toFixed(0)+' ns';
const kernelOf=span=>span[2]<2?data.kernels[span[3]]:null;
const nameOf=span=>kernelOf(span)?.name??(span[2]===2?'copy':data.collectives[span[3]]??'collective');
const colorOf=span=>kernelOf(span)?.color??(span[2]===2?'#c9ced6':'#ffd9a8');
const textOf=span=>{const k=kernelOf(span);return (k?`${k.name} ${k.kind} ${k.ops} ${k.signature}`:nameOf(span)).toLowerCase()};
const hit=span=>words.every(w=>textOf(span).includes(w));
const explain=span=>{
 if(!span)return '';
 const length=span[1]-span[0],k=kernelOf(span);
 let text=`${nameOf(span)}${k?'  '+k.kind:''}\n${amount(length)} from ${amount(span[0])}, ${(100*length/data.end).toFixed(2)}% of the run`;
 if(span[2]===0)text+=`, ${span[4]} tasks`+(k.flops?`, ${(k.flops/length).toFixed(1)} GFLOP/s`:'')+(k.bytes?`, ${(k.bytes/length).toFixed(1)} GB/s`:'');
 if(span[2]===1)text+=`, ${span[4]} tasks on this thread`;
 if(span[2]===2)text+=`, ${span[4]} bytes`;
 if(k)text+=`\n${k.ops}\n${k.signature}\n${k.symbol}`;
 return text};
const firstAfter=(spans,time)=>{let a=0,b=spans.length;while(a<b){const m=(a+b)>>1;spans[m][1]<time?a=m+1:b=m}return a};
const paint=()=>{
 const height=head+rows.length*(row+gap)+6,r=ratio();
 canvas.style.height=height+'px';canvas.width=canvas.clientWidth*r;canvas.height=height*r;
 draw.setTransform(r,0,0,r,0,0);draw.font='11px ui-monospace,monospace';draw.textBaseline='middle';
 let step=10**Math.floor(Math.log10((to-from)/wide()*110));
 for(let i=0;step/(to-from)*wide()<90;++i)step*=i%3===1?2.5:2;
 const [unit,sign]=to>=1e6?[1e6,' ms']:to>=1e3?[1e3,' µs']:[1,' ns'],
  digits=Math.max(0,Math.ceil(Math.log10(unit/step)-1e-9));
 draw.fillStyle='#5b6675';draw.strokeStyle='#e3e7ec';
 for(let t=Math.ceil(from/step)*step;t<=to;t+=step){const x=at(t);
  draw.beginPath();draw.moveTo(x,16);draw.lineTo(x,height);draw.stroke();draw.fillText((t/unit).toFixed(digits)+sign,x+3,9)}
 rows.forEach((one,number)=>{
  const y=head+number*(row+gap);
  draw.save();draw.beginPath();draw.rect(left,y,wide(),row);draw.clip();
  let last=-1;
  for(let i=firstAfter(one.spans,from);i<one.spans.length&&one.spans[i][0]<to;++i){
   const span=one.spans[i],x=Math.max(at(span[0]),left-2),w=Math.min(at(span[1]),canvas.clientWidth+2)-x;
   if(x+w<last+.5)continue;
   last=x+w;
   const marked=chosen&&kernelOf(span)&&kernelOf(chosen)?.name===kernelOf(span).name;
   draw.globalAlpha=words.length&&!hit(span)?.15:1;
   draw.fillStyle=colorOf(span);draw.fillRect(x,y,Math.max(w,.7),row);
   if(w>3||marked){draw.strokeStyle=marked?'#d3224b':'#8a94a3';draw.lineWidth=marked?2:.6;draw.strokeRect(x+.5,y+.5,Math.max(w-1,.7),row-1)}
   if(w>34){draw.fillStyle='#1c2430';draw.save();draw.beginPath();draw.rect(x,y,w-3,row);draw.clip();
    draw.fillText(nameOf(span),x+4,y+row/2);draw.restore()}
  }
  draw.restore();draw.globalAlpha=1;
  draw.fillStyle='#1c2430';draw.fillText(one.name,8,y+row/2-6);
  draw.fillStyle='#5b6675';draw.fillText(one.busy,8,y+row/2+7)})};
const spanAt=e=>{const box=canvas.getBoundingClientRect(),x=e.clientX-box.left,y=e.clientY-box.top-head,
 number=Math.floor(y/(row+gap)),one=rows[number];
 if(!one||x<left||y-number*(row+gap)>row)return null;
 const time=timeAt(x),slack=(to-from)/wide(),span=one.spans[firstAfter(one.spans,time-slack)];
 return span&&span[0]<=time+slack?span:null};
const limit=()=>{const length=Math.min(Math.max(to-from,20),data.end);
 from=Math.min(Math.max(from,0),data.end-length);to=from+length;paint()};
canvas.onwheel=e=>{e.preventDefault();
 const time=timeAt(Math.max(e.clientX-canvas.getBoundingClientRect().left,left)),
 factor=Math.exp((e.shiftKey?0:e.deltaY)/400),move=(e.shiftKey?e.deltaY:e.deltaX)*(to-from)/wide();
 from=time-(time-from)*factor+move;to=time+(to-time)*factor+move;limit()};
canvas.onpointerdown=e=>{drag={x:e.clientX,from,to,moved:false};canvas.setPointerCapture(e.pointerId)};
canvas.onpointerup=e=>{if(drag&&!drag.moved){chosen=spanAt(e);details.textContent=explain(chosen);paint()}drag=null};
canvas.onpointermove=e=>{
 if(drag){const move=(e.clientX-drag.x)*(drag.to-drag.from)/wide();
  if(Math.abs(e.clientX-drag.x)>3)drag.moved=true;
  from=drag.from-move;to=drag.to-move;limit();return}
 const span=spanAt(e);
 if(span!==hover){hover=span;canvas.title='';details.textContent=explain(span??chosen)}};
canvas.ondblclick=()=>{from=0;to=data.end;paint()};
search.oninput=()=>{words=search.value.toLowerCase().split(/\s+/).filter(w=>w);
 const found=rows.flatMap(one=>one.launches?one.spans.filter(hit):[]);
 const time=found.reduce((sum,span)=>sum+span[1]-span[0],0);
 count.textContent=words.length?`${found.length} launches, ${amount(time)}, ${(100*time/data.end).toFixed(1)}% of the run`:'';paint()};
window.onresize=paint;paint();
)";

/// A thread's launches, or its pieces of loops.
struct Row {
  std::string name;
  bool launches = false;
  std::vector<Event> spans;
};

bool is_launch(const Event &event) {
  return event.kind != Kind::Run && event.kind != Kind::Piece;
}

/// Returns the rows of threads that drive programs, then those of the others.
std::vector<Row> rows_of(const std::vector<Event> &events) {
  std::map<int32_t, std::vector<Event>> launches, pieces;
  for (const Event &event : events)
    if (event.kind != Kind::Run)
      (is_launch(event) ? launches : pieces)[event.thread].push_back(event);
  std::vector<Row> rows;
  auto add = [&](std::string name, bool is_launches,
                 std::vector<Event> &spans) {
    std::ranges::sort(spans, {}, &Event::begin);
    rows.push_back({std::move(name), is_launches, std::move(spans)});
  };
  size_t driver = 0, worker = 0;
  for (auto &[thread, spans] : launches) {
    std::string name =
        launches.size() > 1 ? fmt::format("driver {}", ++driver) : "driver";
    add(name + ": launches", true, spans);
    if (auto own = pieces.find(thread); own != pieces.end())
      add(name + ": pieces", false, own->second);
  }
  for (auto &[thread, spans] : pieces)
    if (!launches.contains(thread))
      add(fmt::format("worker {}: pieces", ++worker), false, spans);
  return rows;
}

Json json_of(const Row &row, int64_t start, int64_t end) {
  Json spans = Json::list();
  int64_t busy = 0, until = start;
  for (const Event &event : row.spans) {
    Json span = Json::list();
    int kind = event.kind == Kind::Kernel  ? 0
               : event.kind == Kind::Piece ? 1
               : event.kind == Kind::Copy  ? 2
                                           : 3;
    for (auto number : {event.begin - start, event.end - start, int64_t{kind},
                        int64_t{event.number}, event.amount})
      span.push(number);
    spans.push(std::move(span));
    busy += std::max<int64_t>(0, event.end - std::max(event.begin, until));
    until = std::max(until, event.end);
  }
  Json json;
  json.add("name", row.name);
  json.add("busy",
           fmt::format("{:.1f}% busy",
                       end > start ? 100.0 * static_cast<double>(busy) /
                                         static_cast<double>(end - start)
                                   : 0));
  json.add("launches", row.launches);
  json.add("spans", std::move(spans));
  return json;
}

/// Describes the phases of kernels. Phases of one kernel have a color.
Json kernels_of(const runtime::ExecutableImage &image) {
  Json list = Json::list();
  std::map<std::string, size_t> colors;
  for (const runtime::KernelEntry &kernel : image.kernels) {
    const std::string &name = kernel.name.empty() ? kernel.symbol : kernel.name;
    size_t color = colors.emplace(name, colors.size()).first->second;
    Json json;
    json.add("name", name);
    json.add("kind", kernel.kind);
    json.add("ops", kernel.source_ops);
    json.add("signature", kernel.signature);
    json.add("symbol", kernel.symbol);
    json.add("flops", kernel.flops);
    json.add("bytes", kernel.bytes);
    json.add("color", kernel_colour(color));
    list.push(std::move(json));
  }
  return list;
}

/// Returns JSON that may stand in a <script> element.
std::string embedded(const Json &json) {
  std::string text;
  for (char c : json.text())
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

} // namespace

std::vector<Event> median_run(const std::vector<Event> &events) {
  std::vector<std::vector<Event>> runs;
  std::vector<Event> pending;
  for (const Event &event : events) {
    pending.push_back(event);
    if (event.kind == Kind::Run)
      runs.push_back(std::exchange(pending, {}));
  }
  if (runs.empty())
    return {};
  auto middle = runs.begin() + static_cast<ptrdiff_t>(runs.size() / 2);
  auto duration = [](const std::vector<Event> &run) {
    return run.back().end - run.back().begin;
  };
  std::ranges::nth_element(runs, middle, {}, duration);
  return std::move(*middle);
}

ReportFacts timeline_facts(const std::string &input,
                           const runtime::ExecutableImage &image,
                           const std::vector<Event> &events) {
  int64_t longest = 0;
  for (const Event &event : events)
    if (event.kind == Kind::Run)
      longest = std::max(longest, event.end - event.begin);
  return {image.name.empty() ? input : image.name,
          {{"program", input},
           {"target", image.target_profile},
           {"this run",
            fmt::format("{:.3f} ms", static_cast<double>(longest) * 1e-6)}}};
}

std::string timeline_page(const ReportFacts &facts,
                          const runtime::ExecutableImage &image,
                          const std::vector<Event> &events) {
  int64_t start = 0, end = 0;
  for (size_t i = 0; i < events.size(); ++i) {
    start = i == 0 ? events[i].begin : std::min(start, events[i].begin);
    end = i == 0 ? events[i].end : std::max(end, events[i].end);
  }
  Json rows = Json::list();
  for (const Row &row : rows_of(events))
    rows.push(json_of(row, start, end));
  Json collectives = Json::list();
  for (const runtime::Collective &collective : image.collectives)
    collectives.push(describe(collective));
  Json data;
  data.add("end", std::max<int64_t>(1, end - start));
  data.add("kernels", kernels_of(image));
  data.add("collectives", std::move(collectives));
  data.add("rows", std::move(rows));
  std::string list;
  for (const auto &[name, value] : facts.facts)
    list += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", xml_text(name),
                        xml_text(value));
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<title>xlac: {0}</title><style>{1}</style></head><body><main>\n"
      "<h1>{0}</h1>\n<dl>{2}</dl>\n<div class=\"tools\"><input "
      "type=\"search\" placeholder=\"Search kernels, ops, types\" "
      "aria-label=\"Search\"><span id=\"found\"></span><p>Wheel: enlarge; "
      "drag: move; click: mark a kernel; double click: whole run.</p></div>\n"
      "<canvas></canvas>\n<pre id=\"details\"></pre>\n"
      "<noscript>The timeline needs JavaScript.</noscript></main>\n"
      "<script type=\"application/json\" id=\"data\">{3}</script>\n"
      "<script>{4}</script></body></html>\n",
      xml_text(facts.title), kTimelineStyle, list, embedded(data),
      kTimelineScript);
}

} // namespace xlac::cli
