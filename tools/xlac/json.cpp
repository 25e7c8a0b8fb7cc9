#include "json.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace xlac::cli {

using Ordered = nlohmann::ordered_json;

struct Json::Value {
  Ordered json;
};

Json::Json() : value_(std::make_unique<Value>(Ordered::object())) {}

Json Json::list() {
  Json made;
  made.value_->json = Ordered::array();
  return made;
}

Json::Json(Json &&other) noexcept = default;
Json &Json::operator=(Json &&other) noexcept = default;
Json::~Json() = default;

void Json::add(std::string_view key, double value) {
  value_->json[std::string(key)] = value;
}
void Json::add(std::string_view key, int64_t value) {
  value_->json[std::string(key)] = value;
}
void Json::add(std::string_view key, bool value) {
  value_->json[std::string(key)] = value;
}
void Json::add(std::string_view key, std::string_view value) {
  value_->json[std::string(key)] = value;
}
void Json::add(std::string_view key, Json value) {
  value_->json[std::string(key)] = std::move(value.value_->json);
}

void Json::push(double value) { value_->json.push_back(value); }
void Json::push(int64_t value) { value_->json.push_back(value); }
void Json::push(std::string_view value) { value_->json.push_back(value); }
void Json::push(Json value) {
  value_->json.push_back(std::move(value.value_->json));
}

std::string Json::text() const {
  return value_->json.dump(/*indent=*/-1, /*indent_char=*/' ',
                           /*ensure_ascii=*/false,
                           Ordered::error_handler_t::replace);
}

} // namespace xlac::cli
