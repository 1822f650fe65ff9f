import { Component, Suspense, lazy, useEffect, useState } from "react";
import { Cart } from "./Cart.jsx";
import { connect_live } from "./shop.js";

const About = lazy(() => import("./About.jsx"));

class Boundary extends Component {
  state = {};
  static getDerivedStateFromError(error) {
    return { error };
  }
  render() {
    return this.state.error ? <p>Something went wrong.</p> : this.props.children;
  }
}

export function App() {
  const [page, set_page] = useState("cart");
  useEffect(connect_live, []);
  return (
    <Boundary>
      <h1>Shop of lamps</h1>
      <button id="about" onClick={() => set_page("about")}>
        About
      </button>
      <Suspense fallback={<p>…</p>}>{page == "cart" ? <Cart /> : <About />}</Suspense>
    </Boundary>
  );
}
