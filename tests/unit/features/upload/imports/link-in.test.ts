import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { linkFault } from '#src/features/upload/imports/link-fault.ts'
import { linkIn } from '#src/features/upload/imports/link-in.ts'

const HOSTS = ['dropbox.com', 'cloud.example.com']
const LINK = 'https://www.dropbox.com/scl/fi/abc/scene(1).mp4?rlkey=x_-&dl=0'

it('TYP-03 the one link of a pasted text is taken', () => {
  for (const text of [
    LINK,
    ` ${LINK}\n`,
    `<${LINK}>`,
    `"${LINK}"`,
    `(${LINK})`,
    `${LINK}.`,
    `動画はこちら：${LINK}。`,
    `「${LINK}」`,
    `（${LINK}）。`,
    `هنا ${LINK}؟`,
    `Here is it: ${LINK}, have fun!`,
    `[scene.mp4](${LINK})`,
    `${LINK} <${LINK}>`,
    `<a href="${LINK.replace('&', '&amp;')}">scene</a>`,
    LINK.replace('https', 'http'),
    LINK.replace('https', 'HTTP'),
    LINK.replace('https://www.dropbox.com', 'http://www.dropbox.com:80'),
    LINK.replace('https://', ''),
    `\u202A${LINK}\u202C`,
    `My page is https://ada.example/home and the video ${LINK}`,
  ])
    expect([text, linkIn(text, HOSTS)]).toEqual([text, { kind: 'one', link: LINK }])
  expect(linkIn('dropbox.com/s/a', HOSTS)).toEqual({ kind: 'one', link: 'https://dropbox.com/s/a' })
})

it('TYP-03 of several links none is guessed', () => {
  const two = `${LINK} https://dropbox.com/other.mp4`
  expect(linkIn(two, HOSTS)).toEqual({ kind: 'many' })
  expect(linkFault(two, HOSTS)).toBe(
    'There are several links in this text. Paste only that of your video.',
  )
  expect(linkFault('https://a.example/1 https://b.example/2', HOSTS)).toMatch(/^There are several/)
})

it('TYP-03 what is no link of a host is not made into one', () => {
  for (const text of [
    'my video',
    'ftp://dropbox.com/a',
    'ann@dropbox.com/a',
    'https//dropbox.com/a',
    'a.mp4',
  ])
    expect([text, linkIn(text, HOSTS)]).toEqual([text, { kind: 'none' }])
  expect(linkFault('https://dropbox.com.evil.example/a', HOSTS)).toMatch(/^This server takes links/)
  expect(linkFault('https://me:secret@dropbox.com/a', HOSTS)).toMatch(/without a password/)
  expect(linkFault(`https://dropbox.com/${'a'.repeat(5000)}`, HOSTS)).toMatch(/too long/)
})

it('TYP-03 a link that stands alone is sent as it was typed', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[\w/%&=?()+~@:-]{0,30}[a-z0-9]$/), (path) => {
      const link = `https://www.dropbox.com/${path}`
      expect(linkIn(link, HOSTS)).toEqual({ kind: 'one', link })
    }),
  )
})
