import { describe, expect, it } from 'vitest'
import { contentDisposition, readRange } from '#server/routes/byte-range.ts'

describe('byte ranges', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=10-', { start: 10, end: 99 }],
    ['bytes=10-1000', { start: 10, end: 99 }],
    ['bytes=-5', { start: 95, end: 99 }],
    ['bytes=-1000', { start: 0, end: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=9-3', null],
    ['bytes=-', null],
    ['bytes=0-1,5-6', null],
    ['lines=0-1', null],
    [undefined, null],
  ])('JOB-10 %s', (header, expected) => {
    expect(readRange(header, 100)).toEqual(expected)
  })

  it('JOB-10 nothing of an empty file can be had in parts', () => {
    expect(readRange('bytes=0-', 0)).toBe('unsatisfiable')
  })
})

describe('file names of downloads', () => {
  it('JOB-10 old clients get ASCII, new ones the real name, and no name can break the header', () => {
    expect(contentDisposition('attachment', 'Été "1"\r\n.mp4')).toBe(
      'attachment; filename="Ete _1___.mp4"; filename*=UTF-8\'\'%C3%89t%C3%A9%20%221%22%0D%0A.mp4',
    )
  })
  it('SRC-08 names of all scripts, and halves of characters, make a header', () => {
    expect(contentDisposition('inline', 'Пляж 👍.mp4')).toBe(
      'inline; filename="____ _.mp4"; filename*=UTF-8\'\'%D0%9F%D0%BB%D1%8F%D0%B6%20%F0%9F%91%8D.mp4',
    )
    expect(contentDisposition('attachment', 'a\ud83d.mp4')).toContain("UTF-8''a%EF%BF%BD.mp4")
  })
})
