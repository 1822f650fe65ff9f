// Import this before the page script: its clock then stands still until `pass_time` moves it.
let now = 1000;
performance.now = () => now;

export const pass_time = (ms) => {
  now += ms;
};
