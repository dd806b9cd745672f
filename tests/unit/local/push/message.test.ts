import { expect, it } from 'vitest'
import { isInSight, parsePush, targetOf } from '#src/local/push/message.ts'

const message = {
  web_push: 8030,
  notification: {
    title: 'Your edits are ready',
    navigate: 'https://edits.example/uploads/orders/one/checkout',
    tag: 'topic',
    lang: 'en',
    data: { userId: 'me', shownOn: ['/edits', '/uploads/orders/one/checkout'] },
  },
  app_badge: 1,
}
const parsed = parsePush(JSON.stringify(message))
const page = (path: string, visibilityState: DocumentVisibilityState) => ({
  url: `https://edits.example${path}`,
  visibilityState,
})

it('PHO-02 a message in the declarative form is read, and nothing else', () => {
  expect(parsed?.notification.title).toBe('Your edits are ready')
  for (const other of ['', '{', '[]', JSON.stringify({ ...message, web_push: 1 })])
    expect(parsePush(other)).toBeNull()
})

it('PHO-02 a message is in sight of a visible page that shows the same, and of no other', () => {
  if (parsed === null) throw new Error('not read')
  expect(isInSight(parsed, [page('/edits?sort=name#one', 'visible')])).toBe(true)
  expect(isInSight(parsed, [page('/uploads/orders/one/checkout', 'visible')])).toBe(true)
  expect(isInSight(parsed, [page('/edits', 'hidden')])).toBe(false)
  expect(isInSight(parsed, [page('/uploads/orders/two/checkout', 'visible')])).toBe(false)
  expect(isInSight(parsed, [])).toBe(false)
})

it('a press leads to a page of this origin only', () => {
  const origin = 'https://edits.example'
  expect(targetOf(message.notification.navigate, origin).pathname).toBe(
    '/uploads/orders/one/checkout',
  )
  for (const strange of ['https://bad.example/edits', 'javascript:alert(1)', 7, undefined])
    expect(targetOf(strange, origin).href).toBe(`${origin}/edits`)
})
