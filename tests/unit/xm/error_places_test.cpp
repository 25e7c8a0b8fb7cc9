// With debug information errors name the source line of the call. The test is
// built twice, with -g1 and without; the messages are equal except for the
// location.
#include "xlac/xlac.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <functional>

namespace xlac {
namespace {

/// Returns the message that `call` throws, without the folders of the location.
template <class Call> std::string message_of(Call call) {
  try {
    call();
  } catch (const Error &error) {
    std::string text = error.what();
    size_t place = text.rfind(" (at "), folders = text.rfind('/');
    if (place != std::string::npos && folders > place &&
        folders != std::string::npos)
      text.erase(place + 5, folders - place - 4);
    return text;
  }
  return "nothing thrown";
}

/// Returns the end of messages of calls in `line` of this file.
std::string at(int line) {
#ifdef XLAC_TEST_HAS_DEBUG_INFORMATION
  return " (at error_places_test.cpp:" + std::to_string(line) + ")";
#else
  return "";
#endif
}

#define EXPECT_MESSAGE(call, text)                                             \
  EXPECT_EQ(message_of([&] { call; }), (text) + at(__LINE__))

class ErrorPlaces : public testing::TestWithParam<const char *> {
protected:
  Tensor filled(IntArrayRef sizes) {
    return ones(sizes, Device(GetParam())).add(0);
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, ErrorPlaces, testing::Values("cpu", "xla:0"),
                         [](const auto &info) {
                           return std::string(info.param).substr(0, 3);
                         });

#ifdef XLAC_TEST_HAS_DEBUG_INFORMATION
TEST_P(ErrorPlaces, NameFilesWithoutDots) {
  std::string text;
  try {
    mm(filled({2, 3}), filled({4, 5}));
  } catch (const Error &error) {
    text = error.what();
  }
  EXPECT_NE(text.find("/tests/unit/xm/error_places_test.cpp:"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("/../"), std::string::npos) << text;
}
#endif

TEST_P(ErrorPlaces, OfFunctionsMethodsAndOperators) {
  Tensor a = filled({2, 3}), b = filled({4, 5});
  Tensor c = filled({5, 1}), d = filled({2, 2});
  std::string text =
      "mm(): mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)";
  EXPECT_MESSAGE(mm(a, b), text);
  EXPECT_MESSAGE(a.mm(b), text);
  text = "view(): shape '[4]' is invalid for input of size 6";
  EXPECT_MESSAGE(a.view({4}), text);
  text = "cat(): cannot concatenate tensors of shape f32[5,1] with f32[2,2] at "
         "dimension 0";
  EXPECT_MESSAGE(cat({c, d}), text);
  text = "add(): Shapes are not compatible for broadcasting: f32[2,3] vs. "
         "f32[4,5]. Expected dimension 0 of shape f32[2,3] (2) to match "
         "dimension 0 of shape f32[4,5] (4). Either that or that any of them "
         "is either 1 or unbounded. Try reshaping one of the tensors to match "
         "the other.";
  EXPECT_MESSAGE(a + b, text);
  EXPECT_MESSAGE(add(a, b), text);
  text = "sum(): Dimension out of range (expected to be in range of [-2, 1], "
         "but got 7)";
  EXPECT_MESSAGE(a.sum({7}), text);
}

TEST_P(ErrorPlaces, OfModulesAndTheirInlineCalls) {
  nn::Linear layer(4, 2);
  layer->to(Device(GetParam()));
  nn::Sequential net(layer);
  Tensor x = filled({2, 3});
  std::string text =
      "linear(): mat1 and mat2 shapes cannot be multiplied (2x3 and 4x2)";
  EXPECT_MESSAGE(layer(x), text);
  EXPECT_MESSAGE(layer->forward(x), text);
  EXPECT_MESSAGE(net->forward(x), text);
}

TEST(ErrorPlacesOfPendingWork, AreThoseOfTheCallsThatRunIt) {
  const Shape sizes{int64_t{1} << 25, (int64_t{1} << 25) + 1};
  Tensor huge = ones(sizes, "xla:0") * 3.0;
  std::string why = message_of([&] { xlac::sync(true); });
  std::string place = at(__LINE__ - 1);
  EXPECT_EQ(why.find("sync(): Out of memory allocating 4503599761588224 bytes"),
            0u)
      << why;
  EXPECT_TRUE(why.ends_with(place)) << why;
  EXPECT_EQ(why.find(".cpp:") == std::string::npos, place.empty()) << why;
}

/// Sets `line` to the line of its matrix multiplication.
Tensor called_by_the_test(const Tensor &a, int &line) {
  Tensor turned = a.t();
  line = __LINE__ + 1;
  Tensor product = turned.mm(turned);
  return product + 1;
}

TEST_P(ErrorPlaces, AreTheInnermostOfTheProgram) {
  Tensor a = filled({2, 3});
  int line = 0;
  std::string why = message_of([&] { called_by_the_test(a, line); });
  EXPECT_EQ(why, "mm(): mat1 and mat2 shapes cannot be multiplied (3x2 and "
                 "3x2)" +
                     at(line));
}

TEST_P(ErrorPlaces, OfFunctionsThatTheLibraryCalls) {
  Tensor a = filled({2, 3});
  int line = 0;
  auto body = [&](const std::vector<Tensor> &inputs) {
    return called_by_the_test(inputs[0], line);
  };
  std::string why = message_of([&] { autograd::checkpoint(body, {a}); });
  EXPECT_NE(why.find("mat1 and mat2"), std::string::npos) << why;
  EXPECT_TRUE(why.ends_with(at(line))) << why;
}

TEST_P(ErrorPlaces, AreFoundOnThreadsWithLittleStack) {
  std::string why;
  Tensor a = filled({2, 3});
  int line = __LINE__ + 1;
  std::function<void()> work = [&] { why = message_of([&] { a.mm(a); }); };
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 128 << 10), 0);
  pthread_t thread;
  auto call = [](void *state) -> void * {
    (*static_cast<std::function<void()> *>(state))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, call, &work), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  EXPECT_EQ(why, "mm(): mat1 and mat2 shapes cannot be multiplied (2x3 and "
                 "2x3)" +
                     at(line));
}

TEST_P(ErrorPlaces, CanBeLeftOut) {
  Tensor a = filled({2, 3});
  setenv("XLAC_ERROR_PLACES", "0", 1);
  std::string why = message_of([&] { a.mm(a); });
  unsetenv("XLAC_ERROR_PLACES");
  EXPECT_EQ(why,
            "mm(): mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)");
}

} // namespace
} // namespace xlac
