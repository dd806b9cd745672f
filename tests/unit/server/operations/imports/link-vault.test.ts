import { expect, it } from 'vitest'
import { openLink, sealLink } from '#server/operations/imports/link-vault.ts'

const LINK = 'https://www.dropbox.com/scl/fi/abc/scene.mp4?rlkey=secret&dl=1'
const row = { uploadRequestId: 'u-1', userId: 'p-1' }
const [older, newer, foreign] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
]

it('UPL-11 a link opens in its own row only, also after the keys were replaced', () => {
  const sealed = sealLink({ signing: older }, LINK, row)
  expect(openLink({ accepted: [older] }, sealed, row)).toBe(LINK)
  expect(openLink({ accepted: [newer, older] }, sealed, row)).toBe(LINK)
  expect(openLink({ accepted: [foreign] }, sealed, row)).toBeNull()
  expect(openLink({ accepted: [older] }, sealed, { ...row, uploadRequestId: 'u-2' })).toBeNull()
  expect(openLink({ accepted: [older] }, sealed, { ...row, userId: 'p-2' })).toBeNull()
})

it('UPL-11 a sealed link shows nothing of it, and no byte of it can be changed', () => {
  const sealed = sealLink({ signing: older }, LINK, row)
  expect(sealLink({ signing: older }, LINK, row)).not.toBe(sealed)
  expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('dropbox')
  const bytes = Buffer.from(sealed, 'base64')
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(openLink({ accepted: [older] }, changed.toString('base64'), row)).toBeNull()
  }
})
