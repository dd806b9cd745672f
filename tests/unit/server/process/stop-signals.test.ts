import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { listenToSignals } from '#server/process/stop-signals.ts'

it('the first signal stops, the next one hurries, whichever of the two they are', () => {
  const source = new EventEmitter()
  let nowMs = 0
  const { stop, hurry } = listenToSignals(source, () => nowMs)
  expect([stop.aborted, hurry.aborted]).toEqual([false, false])
  source.emit('SIGTERM')
  expect([stop.aborted, hurry.aborted]).toEqual([true, false])
  nowMs = 2_000
  source.emit('SIGINT')
  expect([stop.aborted, hurry.aborted]).toEqual([true, true])
})

it('one Ctrl-C that npm and the terminal both pass on does not hurry', () => {
  const source = new EventEmitter()
  let nowMs = 0
  const { stop, hurry } = listenToSignals(source, () => nowMs)
  source.emit('SIGINT')
  nowMs = 20
  source.emit('SIGINT')
  expect([stop.aborted, hurry.aborted]).toEqual([true, false])
})
