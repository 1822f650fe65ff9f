#pragma once

// protozero with the standard's views. Included in its place, so that all of a program agrees.

#include <string_view>

#define PROTOZERO_USE_VIEW std::string_view
#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
