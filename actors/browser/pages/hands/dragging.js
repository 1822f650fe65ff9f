// Notices whether the browser drags something.

let drags = false;

// From now on it is noticed when the browser begins to drag something.
const watch_drag = () => {
  drags = false;
  const note = (event) => setTimeout(() => (drags = !event.defaultPrevented));
  addEventListener("dragstart", note, { capture: true, once: true });
};

const is_dragging = async () => {
  await next_frame();
  await rest(0);
  return { drags };
};
