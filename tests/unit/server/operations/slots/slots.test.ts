import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { SlotTask } from '#server/operations/processing/slots/choose.ts'
import { createSlots, type SlotWork } from '#server/operations/processing/slots/slots.ts'

const never = new AbortController().signal

/** Work in memory that ends when told, or fails as often as told. */
function createWork() {
  const waiting = new Map<string, SlotTask>()
  const running = new Map<string, () => void>()
  const failing = new Set<string>()
  /** Work that turns out to be slow, and asks; what may not go on ends and waits again. */
  const dragging = new Set<string>()
  const gone = new Set<string>()
  const begun: string[] = []
  let isFull = false
  const elsewhere: SlotTask[] = []
  const lookedAt: string[] = []
  const work: SlotWork = {
    read: async ({ resting, slow }) => ({
      waiting: [...waiting.values()]
        .map((task) => (slow.includes(task.id) ? { ...task, costS: 5000 } : task))
        .toSorted((a, b) => Number(resting.includes(a.id)) - Number(resting.includes(b.id))),
      running: elsewhere,
    }),
    take: async ({ id }) => {
      const task = waiting.get(id)
      if (task === undefined) return null
      waiting.delete(id)
      return {
        lost: never,
        alone: async (_name, _signal, act) => await act(),
        release: async () => {
          if (failing.has(id) || gone.delete(id)) waiting.set(id, task)
        },
      }
    },
    run: async ({ id }, _lease, _stop, mayBecomeLong) => {
      begun.push(id)
      if (dragging.has(id) && !mayBecomeLong()) {
        gone.add(id)
        throw new Error('It gives way')
      }
      if (failing.has(id)) throw new Error('The machine is at fault')
      await new Promise<void>((resolve) => running.set(id, resolve))
    },
    mayBegin: async () => !isFull,
    lookAgain: async (tasks) => void lookedAt.push(...tasks.map(({ id }) => id)),
  }
  return {
    work,
    begun,
    elsewhere,
    lookedAt,
    failing,
    dragging,
    add: (id: string, costS: number) =>
      void waiting.set(id, { id, userId: id.slice(0, 1), costS, readyAt: new Date(waiting.size) }),
    end: (id: string) => running.get(id)?.(),
    setFull: (value: boolean) => {
      isFull = value
    },
  }
}

it('REC-25 a slot without work returns at once', async () => {
  const { work } = createWork()
  await expect(createSlots(work, { longSlots: 1 }).serve(never)).resolves.toBeUndefined()
})

it('REC-25 a long edit waits in its slot, and a quick one that comes later takes it', async () => {
  const { work, begun, add, end } = createWork()
  const slots = createSlots(work, { longSlots: 1, lookMs: 1 })
  add('a-long', 5000)
  add('b-long', 5000)
  const serving = [slots.serve(never), slots.serve(never)]
  await expect.poll(() => begun).toEqual(['a-long'])
  add('c-quick', 5)
  await expect.poll(() => begun).toEqual(['a-long', 'c-quick'])
  end('c-quick')
  await Promise.race(serving)
  end('a-long')
  await Promise.all(serving)
  const last = slots.serve(never)
  await expect.poll(() => begun).toEqual(['a-long', 'c-quick', 'b-long'])
  end('b-long')
  await last
})

it('REC-25 of ten accounts with slow work one keeps a slot, and the others give theirs back at once', async () => {
  const { work, begun, dragging, add, end } = createWork()
  const slots = createSlots(work, { longSlots: 1, lookMs: 1 })
  const slow = [...'abcdefghij'].map((account) => `${account}-slow`)
  for (const id of slow) {
    dragging.add(id)
    add(id, 5)
  }
  add('z-small', 5)
  const serving = [slots.serve(never), slots.serve(never)]
  await expect.poll(() => begun).toContain('z-small')
  // Each was tried once, the first one went on where it was, and nothing was begun twice.
  expect(begun).toEqual([...slow, 'z-small'])
  end('z-small')
  await Promise.race(serving)
  // The others wait for the slot of the first, in which they are not asked again.
  const next = slots.serve(never)
  end('a-slow')
  await expect.poll(() => begun.slice(11)).toEqual(['b-slow'])
  end('b-slow')
  await Promise.race([serving[0], next])
  const rest = Array.from({ length: 8 }, () => slots.serve(never))
  for (const id of slow.slice(2)) {
    await expect.poll(() => begun).toHaveLength(12 + slow.indexOf(id) - 1)
    end(id)
  }
  await Promise.all([...serving, next, ...rest])
  expect(begun.slice(11)).toEqual(slow.slice(1))
})

it('REC-25 what failed rests, and keeps no other work from its slot', async () => {
  const { work, begun, failing, add, end } = createWork()
  const slots = createSlots(work, { longSlots: 1, lookMs: 1 })
  failing.add('a-bad')
  add('a-bad', 5)
  add('a-good', 5)
  await expect(slots.serve(never)).rejects.toThrow('The machine is at fault')
  const next = slots.serve(never)
  await expect.poll(() => begun).toEqual(['a-bad', 'a-good'])
  end('a-good')
  await next
})

it('TRU-02 edits wait while the disk has no room for their files', async () => {
  const { work, begun, add, end, setFull } = createWork()
  setFull(true)
  add('a', 5)
  const serving = createSlots(work, { longSlots: 1, lookMs: 1 }).serve(never)
  for (let turn = 0; turn < 20; turn += 1) await setImmediate()
  expect(begun).toEqual([])
  setFull(false)
  await expect.poll(() => begun).toEqual(['a'])
  end('a')
  await serving
})

it('REC-25 a message does not wait for ever: what may not begin for long waits for the next one', async () => {
  const { work, begun, add, end, setFull } = createWork()
  setFull(true)
  add('a', 5)
  const slots = createSlots(work, { longSlots: 1, lookMs: 1, longestWaitMs: 20 })
  await slots.serve(never)
  expect(begun).toEqual([])
  setFull(false)
  const next = slots.serve(never)
  await expect.poll(() => begun).toEqual(['a'])
  end('a')
  await next
})

it('REC-25 a stop ends a slot that waits', async () => {
  const { work, add, setFull } = createWork()
  setFull(true)
  add('a', 5)
  const stop = new AbortController()
  const serving = createSlots(work, { longSlots: 1 }).serve(stop.signal)
  stop.abort(new Error('The server stops'))
  await expect(serving).rejects.toThrow()
})

it('SCL-03 a message that finds only what other processes do has that looked at again', async () => {
  const { work, elsewhere, lookedAt, add, end, begun } = createWork()
  const slots = createSlots(work, { longSlots: 1, lookMs: 1 })
  elsewhere.push({ id: 'b', userId: 'b', costS: 5, readyAt: new Date(0) })
  await slots.serve(never)
  expect(lookedAt).toEqual(['b'])
  // What waits stands for the message, and what this process itself makes is in good hands.
  add('a', 5)
  const serving = slots.serve(never)
  await expect.poll(() => begun).toEqual(['a'])
  elsewhere.splice(0, 1, { id: 'a', userId: 'a', costS: 5, readyAt: new Date(0) })
  await slots.serve(never)
  expect(lookedAt).toEqual(['b'])
  end('a')
  await serving
})
