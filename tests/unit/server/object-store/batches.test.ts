import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBatches } from '#server/object-store/batches.ts'

describe('the batches of a body', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('writes after a second what arrived, though it is little, and keeps the order', async () => {
    const written: [number, string][] = []
    const batches = createBatches((chunks, bytes, before) => {
      written.push([before, Buffer.concat(chunks).toString()])
      expect(Buffer.concat(chunks)).toHaveLength(bytes)
      return Promise.resolve()
    })
    await batches.take(Buffer.from('a'))
    await vi.advanceTimersByTimeAsync(900)
    await batches.take(Buffer.from('b'))
    expect(written).toEqual([])
    await vi.advanceTimersByTimeAsync(100)
    expect(written).toEqual([[0, 'ab']])
    await batches.take(Buffer.from('c'))
    await batches.end()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(written).toEqual([
      [0, 'ab'],
      [2, 'c'],
    ])
  })
})
