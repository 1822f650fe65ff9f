#include "actors/alerts/scope/alert_scope.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace gasoline;

namespace {

project project_at(const std::string& root) {
  project out;
  out.root = root;
  return out;
}

project with_lists(const std::string& root, scope_lists lists) {
  auto out = project_at(root);
  out.lists = std::move(lists);
  return out;
}

project with_repository(const std::string& root, const std::string& remote,
                        const std::string& branch) {
  auto out = project_at(root);
  out.remotes = {remote};
  out.branch = branch;
  return out;
}

provenance seen_at(const std::string& url, const std::string& directory = "") {
  provenance out;
  out.page = url;
  out.directory = directory;
  return out;
}

provenance ci_run(const std::string& url, const std::string& ref,
                  const std::string& source = "ci") {
  provenance out;
  out.is_ci = true;
  out.ci_url = url;
  out.ref = ref;
  out.ci_source = source;
  return out;
}

} // namespace

TEST_CASE("scope: what is not known concerns everybody") {
  const std::vector<project> known{project_at("/w/b")};
  CHECK(concerns({}, project_at("/w/a"), known));
  CHECK(concerns(seen_at("http://localhost:3000/x"), project_at("/w/a"), known));
  CHECK(concerns(seen_at("http://localhost:3000/x", "/somewhere"), project_at("/w/a"), known));
  CHECK(concerns(ci_run("", ""), project_at("/w/a"), known));
}

TEST_CASE("scope: an origin is of the project where its process runs") {
  const auto a = project_at("/w/a");
  const auto b = project_at("/w/b");
  const auto of_b = seen_at("http://localhost:3001/", "/w/b/packages/web");
  CHECK(concerns(of_b, b, {a}));
  CHECK_FALSE(concerns(of_b, a, {b}));
  CHECK(concerns(of_b, project_at("/w/b-next"), {a}));
  CHECK_FALSE(concerns(of_b, project_at("/w/b-next"), {b}));
  CHECK(concerns(of_b, project_at("/w"), {b})); // the one lies in the other
  CHECK(concerns(of_b, project_at("/w/b/packages/web/src"), {b}));
}

TEST_CASE("scope: files that the stack names say of which project it is") {
  provenance p;
  p.text = "at total (file:///w/b/src/cart.js:3:5)";
  CHECK(concerns(p, project_at("/w/b"), {project_at("/w/a")}));
  CHECK_FALSE(concerns(p, project_at("/w/a"), {project_at("/w/b")}));
  CHECK(concerns(p, project_at("/w/a"), {project_at("/w/b/src/cart")}));
  p.directory = "/w/a";
  CHECK(concerns(p, project_at("/w/b"), {project_at("/w/a")})); // files say more than processes
}

TEST_CASE("scope: a file names origins, and the rest is of others") {
  scope_lists lists;
  lists.origins = {"http://LOCALHOST:3000/", "example.test:8080", "https://shop.test"};
  const auto a = with_lists("/w/a", lists);
  const auto b = project_at("/w/b");
  CHECK(concerns(seen_at("http://localhost:3000/cart?x=1"), a, {b}));
  CHECK(concerns(seen_at("https://example.test:8080/"), a, {b}));
  CHECK(concerns(seen_at("https://shop.test:443/"), a, {b}));
  CHECK_FALSE(concerns(seen_at("http://shop.test/"), a, {b}));
  CHECK_FALSE(concerns(seen_at("http://localhost:30001/"), a, {}));
  CHECK_FALSE(concerns(seen_at("http://localhost:3000/"), b, {a}));
  CHECK(concerns(seen_at("http://localhost:3001/"), b, {a}));
  CHECK(concerns({}, a, {b})); // the engine's own
}

TEST_CASE("scope: services") {
  scope_lists lists;
  lists.services = {"api"};
  const auto a = with_lists("/w/a", lists);
  provenance p;
  p.service = "api";
  CHECK(concerns(p, a, {project_at("/w/b")}));
  CHECK_FALSE(concerns(p, project_at("/w/b"), {a}));
  p.service = "billing";
  CHECK_FALSE(concerns(p, a, {}));
}

TEST_CASE("scope: CI results by repository, then by branch") {
  const auto a = with_repository("/w/a", "github.com/acme/shop", "main");
  const auto b = with_repository("/w/b", "github.com/acme/shop-admin", "main");
  const auto run = ci_run("https://github.com/acme/shop/actions/runs/7", "main");
  CHECK(concerns(run, a, {b}));
  CHECK_FALSE(concerns(run, b, {a}));
  const auto tree = with_repository("/w/tree", "github.com/acme/shop", "cart");
  CHECK_FALSE(concerns(run, tree, {a, b}));
  const auto on_cart = ci_run("https://github.com/acme/shop/actions/runs/8", "refs/heads/cart");
  CHECK(concerns(on_cart, tree, {a}));
  CHECK_FALSE(concerns(on_cart, a, {tree}));
  CHECK(concerns(ci_run("https://github.com/acme/shop/actions/runs/9", "other"), a, {tree}));
  CHECK(concerns(ci_run("", "main"), a, {b}));
  CHECK_FALSE(concerns(ci_run("", "cart"), a, {tree}));
}

TEST_CASE("scope: CI sources that a file names") {
  scope_lists lists;
  lists.ci = {"jenkins", "gitlab.test/group/app@main"};
  const auto a = with_lists("/w/a", lists);
  const auto b = project_at("/w/b");
  CHECK(concerns(ci_run("", "x", "jenkins"), a, {b}));
  CHECK(concerns(ci_run("https://gitlab.test/group/app/-/pipelines/1", "main"), a, {b}));
  CHECK_FALSE(concerns(ci_run("https://gitlab.test/group/app/-/pipelines/1", "dev"), a, {b}));
  CHECK_FALSE(concerns(ci_run("", "x", "jenkins"), b, {a}));
  CHECK_FALSE(concerns(ci_run("", "x", "travis"), a, {}));
}
