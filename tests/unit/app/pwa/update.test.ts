import { createStore } from 'jotai'
import { expect, it } from 'vitest'
import { updateAtom } from '#src/app/pwa/pwa-atoms.ts'
import { createUpdate } from '#src/app/pwa/update.ts'

function setUp(situation: { isAtStake?: boolean; isTouched?: boolean; isAttached?: boolean } = {}) {
  const seen = { reloads: 0, accepted: 0, ready: 0 }
  const now = { isAtStake: false, isTouched: true, ...situation }
  const page = createStore()
  const commands = createUpdate({
    store: page,
    isAtStake: () => now.isAtStake,
    isTouched: () => now.isTouched,
    reload: () => {
      seen.reloads += 1
    },
    onReadyOffline: () => {
      seen.ready += 1
    },
  })
  const store = { ...commands, state: () => page.get(updateAtom) }
  const attach = () =>
    store.attach({
      accept: () => {
        seen.accepted += 1
      },
      check: () => Promise.resolve(),
    })
  if (situation.isAttached !== false) attach()
  return { store, seen, now, attach }
}

it('MIS-01 what is accepted before the service worker can be told is passed on then', () => {
  const { store, seen, attach } = setUp({ isAttached: false })
  store.events.onWaiting()
  store.accept()
  expect(seen.accepted).toBe(0)
  attach()
  expect(seen.accepted).toBe(1)
})

it('MIS-01 a new version waits until it is accepted, then the page reloads once', () => {
  const { store, seen } = setUp()
  store.events.onWaiting()
  expect(store.state().kind).toBe('waiting')
  expect(seen).toMatchObject({ accepted: 0, reloads: 0 })
  store.accept()
  expect(seen.accepted).toBe(1)
  store.events.onReplaced()
  store.events.onReplaced()
  expect(seen.reloads).toBe(1)
})

it('MIS-01 it is taken without asking on an untouched page, never while something is at stake', () => {
  const fresh = setUp({ isTouched: false })
  fresh.store.events.onWaiting()
  expect(fresh.seen.accepted).toBe(1)
  const busy = setUp({ isTouched: false, isAtStake: true })
  busy.store.events.onWaiting()
  expect(busy.seen.accepted).toBe(0)
})

it('MIS-01 a tab follows what another tab accepted, unless that would cost it something', () => {
  const idle = setUp()
  idle.store.events.onReplaced()
  expect(idle.seen.reloads).toBe(1)
  const busy = setUp({ isAtStake: true })
  busy.store.events.onReplaced()
  expect(busy.seen.reloads).toBe(0)
  expect(busy.store.state().kind).toBe('replaced')
  busy.store.accept()
  expect(busy.seen.reloads).toBe(1)
})

it('MIS-01 Later puts the offer away', () => {
  const { store, seen } = setUp()
  store.events.onWaiting()
  store.later()
  expect(store.state().kind).toBe('later')
  expect(seen).toMatchObject({ accepted: 0, reloads: 0 })
})
