#include "report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace xlac::cli {
namespace {

constexpr const char *kPageStyle = R"(
body{margin:0;font:14px/1.45 system-ui,sans-serif;color:#1c2430;background:#f6f7f9}
main{max-width:1500px;margin:auto;padding:20px}
h1{font-size:20px;margin:0 0 10px}
dl{display:flex;flex-wrap:wrap;gap:6px 26px;margin:0 0 18px}
dt{color:#5b6675;font-size:12px}dd{margin:0;font-variant-numeric:tabular-nums}
table{border-collapse:collapse;width:100%;background:#fff;font-size:13px}
th,td{padding:4px 8px;border-bottom:1px solid #e3e7ec;text-align:left;vertical-align:top}
th{cursor:pointer;position:sticky;top:0;background:#eef1f5}
td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td.ops{font:12px ui-monospace,monospace;overflow-wrap:anywhere}
tr.chosen td{background:#ffe9ee}
.bar{background:linear-gradient(#7aa7e8,#7aa7e8) no-repeat left/var(--part) 100%}
details{max-width:560px}summary{cursor:pointer}
.tools{display:flex;gap:10px;align-items:center;margin-top:18px}
input[type=search]{font:inherit;padding:4px 8px;width:22em;border:1px solid #b9c1cc;border-radius:4px}
#found,p.hint{color:#5b6675;font-size:12px;margin:0}
.sides{display:flex;gap:14px;align-items:flex-start;margin-top:8px}
#details{flex:0 0 24em;max-height:82vh;overflow:auto;margin:0;font:12px/1.45 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
#details:empty{display:none}
.view{flex:1;min-width:0;border:1px solid #d5dae1;background:#fff;height:82vh;overflow:hidden;cursor:grab}
.view svg{transform-origin:0 0}
@media print{main{max-width:none;padding:0}.tools,#details{display:none!important}.sides{display:block}
.view{height:auto;overflow:visible;border:0}.view svg{transform:none!important;max-width:100%;height:auto}}
)";

constexpr const char *kPageScript = R"(
const view=document.querySelector('.view'),svg=view.querySelector('svg');
const drawn=svg.width.baseVal.value;
let scale=Math.min(1,view.clientWidth/drawn),x=Math.max(0,(view.clientWidth-drawn*scale)/2),y=0,drag=null;
const place=()=>svg.style.transform=`translate(${x}px,${y}px) scale(${scale})`;
place();
view.onwheel=e=>{e.preventDefault();const box=view.getBoundingClientRect(),
 mx=e.clientX-box.left,my=e.clientY-box.top,factor=Math.exp(-e.deltaY/500);
 x=mx-(mx-x)*factor;y=my-(my-y)*factor;scale*=factor;place()};
view.onpointerdown=e=>drag=[e.clientX-x,e.clientY-y];
window.onpointerup=()=>drag=null;
window.onpointermove=e=>{if(drag){x=e.clientX-drag[0];y=e.clientY-drag[1];place()}};
const center=box=>{const b=box.getBoundingClientRect(),v=view.getBoundingClientRect();
 x+=v.left+v.width/2-b.left-b.width/2;y+=v.top+v.height/2-b.top-b.height/2;place()};
const details=document.querySelector('#details');
const explain=box=>details.textContent=box?box.querySelector('title')?.textContent??'':'';
const choose=(name,move)=>{
 document.querySelectorAll('.chosen').forEach(e=>e.classList.remove('chosen'));
 document.querySelectorAll(`[data-kernel="${CSS.escape(name)}"]`).forEach(e=>e.classList.add('chosen'));
 const box=svg.querySelector('.launch.chosen');
 explain(box);
 if(move&&box)center(box)};
svg.querySelectorAll('.launch').forEach(e=>e.onclick=()=>{choose(e.dataset.kernel,false);explain(e)});
// The words of the search must all occur in a box or its tooltip.
const search=document.querySelector('input'),count=document.querySelector('#found'),
 boxes=[...svg.querySelectorAll('.launch,.step')],rows=[...document.querySelectorAll('tbody tr')];
let found=[],shown=-1;
const show=number=>{if(!found.length)return;shown=(number+found.length)%found.length;
 document.querySelectorAll('.chosen').forEach(e=>e.classList.remove('chosen'));
 const box=found[shown];box.classList.add('chosen');explain(box);center(box);
 count.textContent=`${shown+1} of ${found.length}`};
search.oninput=()=>{const words=search.value.toLowerCase().split(/\s+/).filter(w=>w),
 hit=e=>{const text=e.textContent.toLowerCase();return words.every(w=>text.includes(w))};
 boxes.forEach(e=>e.classList.toggle('missed',!hit(e)));
 rows.forEach(e=>e.hidden=!hit(e));
 found=words.length?boxes.filter(hit):[];shown=-1;
 count.textContent=words.length?`${found.length} found${found.length?'; Enter shows the next':''}`:''};
search.onkeydown=e=>{if(e.key==='Enter'){e.preventDefault();show(shown+(e.shiftKey?-1:1))}};
document.querySelectorAll('tbody tr').forEach(e=>e.onclick=()=>choose(e.dataset.kernel,true));
document.querySelectorAll('th').forEach((head,column)=>head.onclick=()=>{
 const body=document.querySelector('tbody'),rows=[...body.rows],
 key=row=>{const v=row.cells[column].dataset.value;return v===undefined?row.cells[column].textContent:+v};
 rows.sort((a,b)=>{const p=key(a),q=key(b);return typeof p==='number'?q-p:p.localeCompare(q)});
 body.append(...rows)});
)";

std::string page(const std::string &title, const std::string &body) {
  return fmt::format("<!doctype html>\n<html lang=\"en\"><head><meta "
                     "charset=\"utf-8\"><title>{}</title><style>{}</style>"
                     "</head><body><main>\n{}</main><script>{}</script></body>"
                     "</html>\n",
                     xml_text(title), kPageStyle, body, kPageScript);
}

std::string view(const std::string &svg) {
  return "<div class=\"tools\"><input type=\"search\" placeholder=\"Search "
         "kernels, ops, arguments, types\" aria-label=\"Search\"><span "
         "id=\"found\"></span><p class=\"hint\">Wheel: enlarge; drag: move; "
         "click: details.</p></div><div class=\"sides\"><div class=\"view\">" +
         svg + "</div><pre id=\"details\"></pre></div>\n";
}

std::string number_cell(double value, const std::string &text) {
  return fmt::format("<td class=\"n\" data-value=\"{:.9g}\">{}</td>", value,
                     text);
}

using Kernels = std::map<std::string, const ProgramPicture::Kernel *>;

/// Returns the ops with their source locations, collapsed if there are many.
std::string ops_cell(const KernelTime &time, const Kernels &kernels) {
  auto found = kernels.find(time.name);
  if (found == kernels.end() || found->second->ops.empty())
    return "<td class=\"ops\">" + xml_text(time.signature) + "</td>";
  std::string list;
  for (const ProgramPicture::Op &op : found->second->ops)
    list += xml_text(op.name + " " + op.type) +
            (op.place.empty() ? "" : " <i>" + xml_text(op.place) + "</i>") +
            "<br>";
  return fmt::format("<td class=\"ops\"><details><summary>{}</summary>{}<br>{}"
                     "<br>{}</details></td>",
                     xml_text(shortened_ops(time.source_ops, 70)),
                     xml_text(time.signature),
                     xml_text(found->second->schedule), list);
}

std::string row(const KernelTime &time, const RunProfile &profile,
                const MachinePeaks &peaks, const Kernels &kernels) {
  double share = profile.share(time);
  double part = time.percent_of_bound(peaks);
  std::string cells = "<td>" + xml_text(time.name) + "</td><td>" +
                      xml_text(time.kind) + "</td>";
  cells += number_cell(time.ms, fmt::format("{:.4f}", time.ms));
  cells += fmt::format("<td class=\"n bar\" style=\"--part:{:.1f}%\" "
                       "data-value=\"{:.9g}\">{:.1f}%</td>",
                       std::min(100.0, 100 * share), share, 100 * share);
  cells += number_cell(time.launches, fmt::format("{:.6g}", time.launches));
  cells += number_cell(time.bytes, bytes_text(time.bytes));
  cells += number_cell(time.flops, fmt::format("{:.3g}", time.flops));
  cells += number_cell(time.gbytes(), fmt::format("{:.1f}", time.gbytes()));
  cells += number_cell(time.gflops(), fmt::format("{:.1f}", time.gflops()));
  cells += number_cell(part, part > 0 ? fmt::format("{:.0f}%", part) : "");
  return fmt::format("<tr data-kernel=\"{}\">{}{}</tr>\n", xml_text(time.name),
                     cells, ops_cell(time, kernels));
}

std::string peaks_text(const MachinePeaks &peaks) {
  std::string text = fmt::format("{:.0f} GFLOP/s in f32", peaks.f32_gflops);
  if (peaks.bf16_gflops > 0)
    text += fmt::format(", {:.0f} in bf16", peaks.bf16_gflops);
  for (const auto &[bytes, rate] : peaks.bandwidth)
    text += fmt::format(", {:.0f} GB/s in {}", rate,
                        bytes_text(static_cast<double>(bytes)));
  return text + fmt::format(" on {} threads", peaks.threads);
}

} // namespace

std::string report_page(const ReportFacts &facts, const RunProfile &profile,
                        const MachinePeaks &peaks,
                        const ProgramPicture &picture) {
  std::string body = "<h1>" + xml_text(facts.title) + "</h1>\n<dl>";
  for (const auto &[name, value] : facts.facts)
    body += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", xml_text(name),
                        xml_text(value));
  body += fmt::format("<div><dt>peaks measured</dt><dd>{}</dd></div></dl>\n",
                      xml_text(peaks_text(peaks)));
  Kernels kernels;
  KernelNotes notes;
  for (const ProgramPicture::Kernel &kernel : picture.kernels)
    kernels[kernel.name] = &kernel;
  body += "<table><thead><tr><th>kernel<th>kind<th>ms<th>share<th>times<th>"
          "bytes<th>flops<th>GB/s<th>GFLOP/s<th>of roofline<th>ops</tr>"
          "</thead><tbody>\n";
  for (const KernelTime &time : profile.kernels) {
    body += row(time, profile, peaks, kernels);
    notes[time.name] = {
        fmt::format("{:.3f} ms, {:.1f}%{}", time.ms, 100 * profile.share(time),
                    time.launches > 1
                        ? fmt::format(" in {:.6g} launches", time.launches)
                        : std::string()),
        profile.share(time)};
  }
  body += fmt::format(
      "</tbody><tfoot><tr><td>total<td><td class=\"n\">{:.4f}<td "
      "class=\"n\">{:.1f}%<td colspan=\"7\"></tr></tfoot></table>\n",
      profile.total_ms(),
      100 * profile.total_ms() / std::max(profile.run_ms, 1e-9));
  body += view(svg_of(picture, notes));
  return page("xlac: " + facts.title, body);
}

std::string page_of(const ProgramPicture &picture, bool compact) {
  std::string title = picture.name.empty() ? "program" : picture.name;
  return page("xlac: " + title, "<h1>" + xml_text(title) +
                                    "</h1>\n<table "
                                    "hidden><tbody></tbody></table>" +
                                    view(svg_of(picture, {}, compact)));
}

} // namespace xlac::cli
