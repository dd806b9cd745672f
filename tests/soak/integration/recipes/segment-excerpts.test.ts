import { it } from 'vitest'
import { expectSame } from '#tests/setup/cut-film.ts'
import { MORE_SEGMENTS } from '#tests/setup/films.ts'

it.each(MORE_SEGMENTS)(
  'NOW-01 an excerpt of Matroska or WebM shows each picture and sound of its whole: $name',
  expectSame,
)
