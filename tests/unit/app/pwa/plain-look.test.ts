import { createStore } from 'jotai'
import { expect, it } from 'vitest'
import { takeLook } from '#src/app/pwa/plain-look.ts'
import { plainTitleAtom } from '#src/ui/document-title-atoms.ts'

it.each([
  ['Planner', 'Planner'],
  ['Onecut', null],
])(
  'PHO-05 a page that was answered as %s stays so where its device does not answer',
  (title, plain) => {
    const store = createStore()
    takeLook(store, { title })
    expect(store.get(plainTitleAtom)).toBe(plain)
  },
)
