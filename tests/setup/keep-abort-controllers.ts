/**
 * Keeps every `AbortController` of a test file alive. Node's `Request` follows the signal that it
 * is given through a controller that only a `WeakRef` holds: after a garbage collection neither a
 * time limit nor a caller ends the call, and one without an answer waits for ever (Node 24;
 * browsers keep such signals). Node finds the class in `globalThis` when it makes a `Request`.
 */
const kept = new Set<AbortController>()

class KeptAbortController extends AbortController {
  constructor() {
    super()
    kept.add(this)
  }
}

// A worker that runs many files loads this once for each of them.
if (globalThis.AbortController.name !== KeptAbortController.name)
  globalThis.AbortController = KeptAbortController
