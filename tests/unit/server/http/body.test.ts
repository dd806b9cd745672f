import { expect, it } from 'vitest'
import { readBody } from '#server/http/body.ts'
import { SMALL_BODY } from '#server/http/body-limits.ts'

const rules = { mediaTypes: ['application/json'], bodyLimits: SMALL_BODY }

function request(body: ReadableStream<Uint8Array> | string): Request {
  const init: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
    duplex: 'half',
  }
  return new Request('http://127.0.0.1/', init)
}

it('reads a body that comes in pieces', async () => {
  const pieces = ['{"a', '":1', '}'].map((text) => new TextEncoder().encode(text))
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const next = pieces.shift()
      if (next === undefined) controller.close()
      else controller.enqueue(next)
    },
  })
  expect((await readBody(request(body), rules)).value).toEqual({ a: 1 })
  expect((await readBody(request(''), rules)).value).toBeUndefined()
})

it('a body that never ends is refused in time and let go', async () => {
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
    cancel: () => {
      isCancelled = true
    },
  })
  await expect(readBody(request(body), rules, 20)).rejects.toMatchObject({
    code: 'request/too-slow',
  })
  await expect.poll(() => isCancelled).toBe(true)
})

it('a body that grows too large is refused before it is all there', async () => {
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(SMALL_BODY.bytes / 2)),
  })
  await expect(readBody(request(body), rules)).rejects.toMatchObject({
    code: 'request/too-large',
  })
})
