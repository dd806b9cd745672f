/**
 * React's development build draws each render into the performance tool of the browser, and gives
 * each element a task for its debugger, where the console offers that: a twentieth of what a screen
 * test costs. It looks once, when it loads, so this comes before. Its warnings do not change.
 */
for (const tool of ['timeStamp', 'createTask'] as const) Reflect.set(console, tool, undefined)
