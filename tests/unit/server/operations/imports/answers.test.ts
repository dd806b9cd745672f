import { expect, it } from 'vitest'
import { nameOf } from '#server/operations/processing/imports/answers.ts'

const address = new URL('https://files.example/films/%D0%A1%D1%86%D0%B5%D0%BD%D0%B0.mp4')
/** As Node gives it: each byte is a character. */
const raw = (text: string): string => Buffer.from(text).toString('latin1')

it.each([
  [`attachment; filename="x.mp4"; filename*=UTF-8''%E6%B5%B7.mp4`, '海.mp4'],
  [`attachment; filename*=utf-8'ru'%D0%9F.mp4`, 'П.mp4'],
  [raw('attachment; filename="Пляж (1).mp4"'), 'Пляж (1).mp4'],
  ['attachment; filename="%D0%9F%D0%BB.mp4"', 'Пл.mp4'],
  ['attachment; filename="50%25 off.mp4"', '50%25 off.mp4'],
  ['attachment; filename="100%.mp4"', '100%.mp4'],
  ['attachment; filename="\xe9t\xe9.mp4"', 'été.mp4'],
  ['attachment; filename=""', 'Сцена.mp4'],
  ['inline', 'Сцена.mp4'],
])('SRC-08 a host that says %j names the file %j', (disposition, name) => {
  expect(nameOf({ 'content-disposition': disposition }, address)).toBe(name)
})
