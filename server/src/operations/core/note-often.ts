const NOTE_EVERY_MS = 2_000
/** What a process works on and has noted nothing of for this long, it has lost. */
export const SILENT_MS = 10 * NOTE_EVERY_MS

/**
 * Notes how far something is, at once and every two seconds until it is disposed of, and then once
 * as at rest. A note that fails is followed by the next one: the work itself does not need it.
 */
export function noteOften(note: (isRunning: boolean) => Promise<void>): AsyncDisposable {
  const tryNote = async (isRunning: boolean): Promise<void> => {
    await note(isRunning).catch(() => {})
  }
  const state = { last: tryNote(true) }
  const timer = setInterval(() => {
    state.last = state.last.then(async () => await tryNote(true))
  }, NOTE_EVERY_MS)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await state.last
      await tryNote(false)
    },
  }
}
