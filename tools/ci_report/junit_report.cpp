#include "tools/ci_report/report_readers.hpp"
#include "tools/ci_report/telling_part.hpp"

#include <expat.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <istream>
#include <memory>
#include <string>
#include <vector>

namespace gasoline {
namespace {

constexpr std::size_t most_text_bytes = 4096;
constexpr std::size_t most_depth = 100;
constexpr std::size_t chunk_bytes = 64U << 10U;
constexpr std::int64_t most_token_bytes = 8 << 20;

/// The test that is being read.
struct open_test {
  std::string name;
  std::string message;
  bool failed = false;
  bool failed_before = false;
  bool skipped = false;
};

/// One document being read: what expat's handlers share.
class junit_document {
 public:
  junit_document(XML_Parser parser, test_report& out) : parser_(parser), out_(out) {
    XML_SetUserData(parser, this);
    XML_SetElementHandler(
        parser,
        [](void* self, const XML_Char* name, const XML_Char** attributes) {
          static_cast<junit_document*>(self)->start(name, attributes);
        },
        [](void* self, const XML_Char* name) { static_cast<junit_document*>(self)->end(name); });
    XML_SetCharacterDataHandler(parser, [](void* self, const XML_Char* text, int size) {
      static_cast<junit_document*>(self)->take({text, static_cast<std::size_t>(size)});
    });
    XML_SetStartDoctypeDeclHandler(
        parser, [](void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
          static_cast<junit_document*>(self)->refuse(
              "has a document type, which is not read; leave out the <!DOCTYPE …>");
        });
  }

  /// Another document follows this one.
  bool is_complete() const noexcept { return is_junit_ && depth_ == 0; }

  const std::string& problem() const noexcept { return problem_; }
  bool is_junit() const noexcept { return is_junit_; }

 private:
  void refuse(std::string problem) {
    if (problem_.empty())
      problem_ = std::move(problem);
    XML_StopParser(parser_, XML_FALSE);
  }

  static std::string attribute(const XML_Char** attributes, std::string_view name) {
    for (; *attributes != nullptr; attributes += 2)
      if (name == attributes[0])
        return std::string{attributes[1]}.substr(0, most_text_bytes);
    return {};
  }

  void start(std::string_view name, const XML_Char** attributes) {
    if (++depth_ > most_depth)
      return refuse("nests deeper than " + std::to_string(most_depth) + " elements");
    text_.clear();
    if (name == "testsuites" || name == "testsuite") {
      is_junit_ = true;
      if (name == "testsuite")
        suites_.push_back(attribute(attributes, "name"));
      else
        take_time(attributes);
    } else if (name == "testcase") {
      start_test(attributes);
    } else if (in_test_) {
      start_part(name, attributes);
    } else if (!suites_.empty() && (name == "error" || name == "failure")) {
      suite_problem_ = attribute(attributes, "message");
    }
  }

  // The sum of the tests says it where the root does not.
  void take_time(const XML_Char** attributes) {
    const auto seconds = std::strtod(attribute(attributes, "time").c_str(), nullptr);
    if (seconds > 0 && seconds < 1e7) {
      out_.add_duration(seconds * 1000);
      timed_ = true;
    }
  }

  void start_test(const XML_Char** attributes) {
    test_ = {};
    in_test_ = true;
    const auto name = attribute(attributes, "name");
    auto group = attribute(attributes, "classname");
    if (group.empty() && !suites_.empty())
      group = suites_.back();
    if (group == "undefined")
      group.clear();
    // Some write the whole name into both, or repeat the group before it.
    test_.name = group.empty() || name.starts_with(group) ? name : group + " > " + name;
    if (attribute(attributes, "status") == "fail")
      test_.failed = true;
    if (!timed_)
      take_test_time(attributes);
  }

  void take_test_time(const XML_Char** attributes) {
    const auto seconds = std::strtod(attribute(attributes, "time").c_str(), nullptr);
    if (seconds > 0 && seconds < 1e7)
      out_.add_duration(seconds * 1000);
  }

  void start_part(std::string_view name, const XML_Char** attributes) {
    if (name == "failure" || name == "error") {
      test_.failed = true;
    } else if (name == "flakyFailure" || name == "flakyError") {
      test_.failed_before = true;
    } else if (name == "skipped") {
      test_.skipped = true;
      return;
    } else {
      return;
    }
    if (test_.message.empty())
      test_.message = attribute(attributes, "message");
  }

  void take(std::string_view text) {
    if (text_.size() < most_text_bytes)
      text_ += text.substr(0, most_text_bytes - text_.size());
  }

  void end(std::string_view name) {
    --depth_;
    if (name == "testsuite") {
      if (!suites_.empty())
        suites_.pop_back();
    } else if (name == "testcase") {
      end_test();
    } else if (in_test_) {
      end_part(name);
    } else if (!suites_.empty() && (name == "error" || name == "failure")) {
      out_.add_fault(suites_.back(), suite_problem_.empty() ? text_ : suite_problem_);
    }
    text_.clear();
  }

  void end_part(std::string_view name) {
    const bool tells =
        name == "failure" || name == "error" || name == "flakyFailure" || name == "flakyError";
    // ctest says what went wrong in the output alone.
    const bool output = (name == "system-out" || name == "system-err") && test_.failed;
    // What pytest says of a module that it cannot load stands below that it cannot.
    const bool says_nothing = is_blank(test_.message) || test_.message == "collection failure";
    if ((tells || output) && says_nothing && !is_blank(text_))
      test_.message = output || !is_blank(test_.message) ? telling_part(text_) : text_;
  }

  static bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
  }

  void end_test() {
    in_test_ = false;
    if (test_.skipped)
      out_.add(test_.name, test_outcome::skipped);
    else if (test_.failed)
      out_.add(test_.name, test_outcome::failed, test_.message);
    else if (test_.failed_before)
      out_.add_passed_again(test_.name, test_.message);
    else
      out_.add(test_.name, test_outcome::passed);
  }

  XML_Parser parser_;
  test_report& out_;
  std::string problem_;
  std::vector<std::string> suites_;
  std::string suite_problem_;
  std::string text_;
  open_test test_;
  std::size_t depth_ = 0;
  bool in_test_ = false;
  bool is_junit_ = false;
  bool timed_ = false;
};

// Test runners copy raw terminal output into their reports, whose control characters no XML may
// hold.
void take_out_controls(char* bytes, std::size_t size) {
  std::replace_if(
      bytes, bytes + size,
      [](char c) {
        return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t' &&
               c != '\x1B';
      },
      ' ');
  // What begins the code of a colour has to be known again.
  std::replace(bytes, bytes + size, '\x1B', '\x7F');
}

/// Documents of JUnit XML, of which some programs write several into one file.
class junit_documents {
 public:
  junit_documents(test_report& out, const char* encoding) : out_(out), encoding_(encoding) {}

  /// Makes ready for a document.
  result_or<bool> begin() {
    parser_.reset(XML_ParserCreate(encoding_));
    if (!parser_)
      return tl::unexpected(user_error{"cannot be read: there is no memory for it"});
    document_ = std::make_unique<junit_document>(parser_.get(), out_);
    fed_ = 0;
    return true;
  }

  result_or<bool> take(std::string_view bytes, bool last) {
    while (!parse(bytes, last)) {
      const auto next = next_document(bytes);
      if (next.empty())
        return tl::unexpected(problem());
      if (auto begun = begin(); !begun)
        return begun;
      bytes = next;
    }
    fed_ += static_cast<std::int64_t>(bytes.size());
    if (!last && fed_ - XML_GetCurrentByteIndex(parser_.get()) > most_token_bytes)
      return tl::unexpected(user_error{"has a tag of more than 8 MB"});
    return true;
  }

  bool is_junit() const noexcept { return document_->is_junit(); }

 private:
  bool parse(std::string_view bytes, bool last) {
    const auto state =
        XML_Parse(parser_.get(), bytes.data(), static_cast<int>(bytes.size()), last ? 1 : 0);
    return state == XML_STATUS_OK && document_->problem().empty();
  }

  /// Where the parser has stopped, if another document begins there; else empty.
  std::string_view next_document(std::string_view bytes) const {
    const auto why = XML_GetErrorCode(parser_.get());
    const bool may_begin =
        why == XML_ERROR_JUNK_AFTER_DOC_ELEMENT || why == XML_ERROR_MISPLACED_XML_PI;
    const auto stopped = XML_GetCurrentByteIndex(parser_.get()) - fed_;
    if (!document_->problem().empty() || !document_->is_complete() || !may_begin || stopped < 0 ||
        static_cast<std::size_t>(stopped) >= bytes.size())
      return {};
    const auto rest = bytes.substr(static_cast<std::size_t>(stopped));
    return rest.starts_with('<') ? rest : std::string_view{};
  }

  user_error problem() const {
    if (!document_->problem().empty())
      return user_error{document_->problem()};
    return user_error{
        "is no well-formed XML: " + std::string{XML_ErrorString(XML_GetErrorCode(parser_.get()))} +
        " in line " + std::to_string(XML_GetCurrentLineNumber(parser_.get()))};
  }

  test_report& out_;
  const char* encoding_;
  std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser_{nullptr, XML_ParserFree};
  std::unique_ptr<junit_document> document_;
  std::int64_t fed_ = 0; ///< to this parser
};

result_or<bool> read_encoded(std::istream& in, test_report& out, const char* encoding) {
  junit_documents documents{out, encoding};
  if (auto begun = documents.begin(); !begun)
    return begun;
  std::array<char, chunk_bytes> chunk{};
  for (bool last = false; !last;) {
    in.read(chunk.data(), chunk.size());
    const auto got = static_cast<std::size_t>(in.gcount());
    take_out_controls(chunk.data(), got);
    last = got < chunk.size();
    if (auto taken = documents.take({chunk.data(), got}, last); !taken)
      return taken;
  }
  if (!documents.is_junit())
    return tl::unexpected(user_error{"is XML, but has no <testsuite>"});
  return true;
}

} // namespace

result_or<bool> read_junit(std::istream& in, test_report& out) {
  const auto begin = in.tellg();
  auto copy = out;
  auto done = read_encoded(in, copy, "UTF-8");
  // Texts of tests are any bytes; as Latin-1 there is none that is wrong.
  if (!done && begin != std::istream::pos_type(-1) &&
      done.error().message.find("not well-formed") != std::string::npos) {
    in.clear();
    in.seekg(begin);
    copy = out;
    done = read_encoded(in, copy, "ISO-8859-1");
  }
  if (done)
    out = std::move(copy);
  return done;
}

} // namespace gasoline
