import { expect, test } from 'vitest'
import { readAtMost, readTextAtMost } from '#src/lib/read-at-most.ts'

/** A stream of these chunks; `left` says whether its reader gave it up. */
function streamOf(...chunks: readonly string[]) {
  const seen = { pulled: 0, isLeft: false }
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: (controller) => {
        const chunk = chunks[seen.pulled]
        seen.pulled += 1
        if (chunk === undefined) controller.close()
        else controller.enqueue(new TextEncoder().encode(chunk))
      },
      cancel: () => {
        seen.isLeft = true
      },
    },
    { highWaterMark: 0 },
  )
  return { body, seen }
}

test('an answer is read whole up to the limit, with letters that two chunks share', async () => {
  const bytes = new TextEncoder().encode('für dich')
  const halves = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      controller.enqueue(bytes.slice(0, 2))
      controller.enqueue(bytes.slice(2))
      controller.close()
    },
  })
  expect(await readTextAtMost(new Response(halves), bytes.length)).toBe('für dich')
  expect(await readAtMost(streamOf().body, 0)).toEqual(new Uint8Array())
  expect(await readTextAtMost(new Response(null), 0)).toBe('')
})

test('of a longer answer nothing is kept, and the rest is not asked for', async () => {
  const { body, seen } = streamOf('abc', 'de', 'never', 'read')
  expect(await readAtMost(body, 4)).toBeNull()
  expect(seen).toEqual({ pulled: 2, isLeft: true })
})
