"use client";

import { useEffect } from "react";
import { connect_live, start_shop } from "./shop.js";

export function Start() {
  useEffect(() => {
    start_shop({ connects: true });
    return connect_live();
  }, []);
  return null;
}
