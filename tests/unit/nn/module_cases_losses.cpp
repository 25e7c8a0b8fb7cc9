#include "module_cases.h"

namespace xlac::module_cases {

using namespace nn;

namespace {

void add_numbers(std::vector<Subject> &list) {
  for (std::string reduction : {"mean", "sum", "none"}) {
    list.push_back({"L1Loss " + reduction, L1Loss(reduction)});
    list.push_back({"MSELoss " + reduction, MSELoss(reduction)});
  }
  list.push_back({"SmoothL1Loss", SmoothL1Loss()});
  list.push_back({"SmoothL1Loss with beta", SmoothL1Loss("sum", 0.3)});
  list.push_back({"HuberLoss", HuberLoss()});
  list.push_back({"HuberLoss with delta", HuberLoss("none", 0.3)});
  list.push_back({"PoissonNLLLoss", PoissonNLLLoss()});
  list.push_back(called("PoissonNLLLoss of rates",
                        PoissonNLLLoss(false, true, 1e-8, "sum"),
                        [](const PoissonNLLLoss &m, const List &in) {
                          return m(in[0].abs(), in[1].abs() * 4);
                        }));
  list.push_back(called("GaussianNLLLoss", GaussianNLLLoss(),
                        [](const GaussianNLLLoss &m, const List &in) {
                          return m(in[0], in[1], in[2].abs());
                        }));
  list.push_back(called("GaussianNLLLoss of one variance",
                        GaussianNLLLoss(true, 0.1, "none"),
                        [](const GaussianNLLLoss &m, const List &in) {
                          return m(in[0], in[1], 0.5);
                        }));
  list.push_back(called("KLDivLoss", KLDivLoss("batchmean"),
                        [](const KLDivLoss &m, const List &in) {
                          return m(in[0], in[1].softmax(1));
                        }));
  list.push_back({"KLDivLoss of logarithms", KLDivLoss("sum", true)});
}

const auto of_sigmoids = [](const BCELoss &m, const List &in) {
  return m(in[0].sigmoid(), in[1].sigmoid());
};

void add_classes(std::vector<Subject> &list) {
  Tensor weight = tensor({2.0, 1.5, 0.5, 3.0});
  list.push_back({"NLLLoss", NLLLoss()});
  list.push_back({"NLLLoss weighted", NLLLoss(weight, 3)});
  list.push_back({"NLLLoss of images", NLLLoss({.reduction = "none"})});
  list.push_back({"CrossEntropyLoss", CrossEntropyLoss()});
  list.push_back({"CrossEntropyLoss weighted and smoothed",
                  CrossEntropyLoss(weight, 3, "mean", 0.2)});
  list.push_back(
      called("CrossEntropyLoss of probabilities",
             CrossEntropyLoss({.reduction = "sum", .label_smoothing = 0.1}),
             [](const CrossEntropyLoss &m, const List &in) {
               return m(in[0], in[1].softmax(1));
             }));
  list.push_back(
      {"CrossEntropyLoss of images", CrossEntropyLoss({.reduction = "none"})});
  list.push_back(called("BCELoss", BCELoss(), of_sigmoids));
  list.push_back(
      called("BCELoss weighted", BCELoss(weight, "sum"), of_sigmoids));
  list.push_back({"BCEWithLogitsLoss", BCEWithLogitsLoss()});
  list.push_back({"BCEWithLogitsLoss weighted",
                  BCEWithLogitsLoss(tensor({{2.0}, {0.5}, {1.5}}), "none",
                                    tensor({1.0, 3.0, 0.5, 2.0}))});
}

const auto of_logits = [](const CTCLoss &m, const List &in) {
  return m(in[0].log_softmax(2), in[1], in[2], in[3]);
};

void add_ctc(std::vector<Subject> &list) {
  list.push_back(called("CTCLoss", CTCLoss(), of_logits));
  list.push_back(
      called("CTCLoss with another blank", CTCLoss(3, "none"), of_logits));
  list.push_back(called("CTCLoss of what does not fit", CTCLoss(0, "sum", true),
                        of_logits));
}

void add_margins(std::vector<Subject> &list) {
  Tensor weight = tensor({2.0, 1.5, 0.5, 3.0});
  list.push_back({"SoftMarginLoss", SoftMarginLoss()});
  list.push_back({"MultiLabelMarginLoss", MultiLabelMarginLoss()});
  list.push_back({"HingeEmbeddingLoss", HingeEmbeddingLoss()});
  list.push_back(
      {"HingeEmbeddingLoss with margin", HingeEmbeddingLoss(0.4, "none")});
  list.push_back({"MultiLabelSoftMarginLoss", MultiLabelSoftMarginLoss()});
  list.push_back({"MultiLabelSoftMarginLoss weighted",
                  MultiLabelSoftMarginLoss(weight, "none")});
  list.push_back({"MultiMarginLoss", MultiMarginLoss()});
  list.push_back(
      {"MultiMarginLoss squared", MultiMarginLoss(2, 0.5, weight, "none")});
  list.push_back({"MarginRankingLoss", MarginRankingLoss(0.2)});
  list.push_back({"CosineEmbeddingLoss", CosineEmbeddingLoss(0.1)});
  list.push_back({"TripletMarginLoss", TripletMarginLoss()});
  list.push_back({"TripletMarginLoss swapped",
                  TripletMarginLoss(0.5, 1.0, 1e-6, true, "none")});
}

} // namespace

std::vector<Subject> losses() {
  std::vector<Subject> list;
  add_numbers(list);
  add_classes(list);
  add_ctc(list);
  add_margins(list);
  return list;
}

} // namespace xlac::module_cases
