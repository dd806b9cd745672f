import { expect, it } from 'vitest'
import { createShareTarget } from '#server/routes/share-target.ts'

it('PHO-03: what no service worker takes leads to the page that asks for it again, unread', async () => {
  let isRead = false
  const body = new ReadableStream(
    {
      pull: () => {
        isRead = true
      },
    },
    { highWaterMark: 0 },
  )
  const answer = await createShareTarget().request('/share-target', {
    method: 'POST',
    body,
    duplex: 'half',
  } as RequestInit)
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/uploads/new?shared=missed')
  expect(isRead).toBe(false)
})
