// Writes the tables by which the triggers of redaction are found, as C++, to the file FILE:
//   gasoline-trigger-tables FILE
#include "actors/redaction/rules/trigger_list.hpp"
#include "actors/redaction/rules/triggers/trigger_table_set.hpp"

#include <fstream>
#include <iostream>
#include <span>
#include <string>
#include <string_view>

using namespace gasoline::redaction;

namespace {

template <class Item, class Write>
void write_list(std::ostream& out, std::string_view type, std::string_view name,
                std::span<const Item> items, const Write& write) {
  out << "constexpr std::array<" << type << ", " << items.size() << "> " << name << "{{\n";
  for (const auto& item : items) {
    write(item);
    out << ",\n";
  }
  out << "}};\n\n";
}

void write_tables(std::ostream& out, const std::string& name, const trigger_tables& tables) {
  const auto number = [&](std::uint64_t n) { out << n << 'U'; };
  out << "namespace " << name << " {\n";
  write_list<std::uint8_t>(out, "std::uint8_t", "symbols", tables.symbols, number);
  write_list<std::uint64_t>(out, "std::uint64_t", "marks", tables.marks, number);
  write_list<std::uint16_t>(out, "std::uint16_t", "listed", tables.listed, number);
  write_list<std::uint8_t>(out, "std::uint8_t", "places", tables.places, number);
  write_list<window_slot>(out, "window_slot", "slots", tables.slots, [&](const auto& slot) {
    out << '{' << slot.window << "U," << slot.first << ',' << slot.end << '}';
  });
  write_list<placed_trigger>(out, "placed_trigger", "triggers", tables.triggers,
                             [&](const auto& t) {
                               out << '{' << t.number << ',' << t.places << ','
                                   << unsigned{t.length} << ',' << unsigned{t.window} << '}';
                             });
  write_list<byte_class>(out, "byte_class", "classes", tables.classes, [&](const auto& bytes) {
    out << "{{" << bytes[0] << "U," << bytes[1] << "U," << bytes[2] << "U," << bytes[3] << "U}}";
  });
  out << "} // namespace " << name << "\n\n";
}

void write_effects(std::ostream& out, std::span<const trigger> triggers) {
  write_list<trigger>(out, "trigger_effect", "effects", triggers, [&](const trigger& t) {
    out << "{trigger_kind{" << static_cast<unsigned>(t.kind) << "},trigger_use{"
        << static_cast<unsigned>(t.use) << "}," << unsigned{t.before} << ',' << unsigned{t.after}
        << ',' << t.shape << '}';
  });
}

void write_getter(std::ostream& out, const std::string& name) {
  out << "trigger_tables built_in_" << name << "() {\n  using namespace " << name
      << ";\n  return {symbols, marks, slots, listed, triggers, places, classes};\n}\n\n";
}

void write_all(std::ostream& out, std::span<const trigger> triggers,
               const trigger_table_set& filter, const trigger_table_set& scan) {
  out << "// Generated.\n#include \"actors/redaction/rules/triggers/trigger_tables.hpp\"\n\n"
         "namespace gasoline::redaction {\nnamespace {\n\n";
  write_tables(out, "filter", filter.view());
  write_tables(out, "scan", scan.view());
  write_effects(out, triggers);
  out << "} // namespace\n\n";
  write_getter(out, "filter");
  write_getter(out, "scan");
  out << "std::span<const trigger_effect> built_in_effects() {\n  return effects;\n}\n\n"
         "} // namespace gasoline::redaction\n";
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "Usage: gasoline-trigger-tables FILE\n";
    return 2;
  }
  const auto triggers = built_in_trigger_list();
  const trigger_table_set filter{triggers, trigger_use::filter};
  const trigger_table_set scan{triggers, trigger_use::scan};
  if (filter.view().classes.size() > 256 || scan.view().classes.size() > 256) {
    std::cerr << "There are more than 256 different classes of bytes in the triggers.\n";
    return 1;
  }
  std::ofstream out{argv[1]};
  write_all(out, triggers, filter, scan);
  out.flush();
  return out.good() ? 0 : 1;
}
