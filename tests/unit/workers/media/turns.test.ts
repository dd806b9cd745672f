import { expect, it, vi } from 'vitest'
import { createTurns, type Rank } from '#workers/media/turns.ts'

const never = new AbortController().signal

/** Work that says when it begins and ends when told to. */
function works() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const turns = createTurns()
  const start = (name: string, rank: Rank, signal: AbortSignal = never): Promise<string> =>
    turns.take(rank, signal, async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
      return name
    })
  return { begun, start, end: (name: string) => ends.get(name)?.() }
}

it('makes verdicts at once, then pictures, then previews, one after the other', async () => {
  const { begun, start, end } = works()
  const first = start('verdict', 'verdict')
  const preview = start('preview', 'preview')
  const strip = start('strip', 'pictures')
  const second = start('another verdict', 'verdict')
  expect(begun).toEqual(['verdict', 'another verdict'])
  end('verdict')
  expect(await first).toBe('verdict')
  expect(begun).toHaveLength(2)
  end('another verdict')
  await second
  expect(begun.slice(2)).toEqual(['strip'])
  end('strip')
  await strip
  expect(begun.slice(3)).toEqual(['preview'])
  end('preview')
  expect(await preview).toBe('preview')
})

it('begins an edit behind all else, one at a time, and lets pictures be made meanwhile', async () => {
  const { begun, start, end } = works()
  const preview = start('preview', 'preview')
  const edit = start('edit', 'make')
  const other = start('other edit', 'make')
  const strip = start('strip', 'pictures')
  const hasBegun = (name: string) => vi.waitFor(() => expect(begun.at(-1)).toBe(name))
  await hasBegun('preview')
  end('preview')
  await preview
  await hasBegun('strip')
  end('strip')
  await strip
  await hasBegun('edit')
  expect(begun).toEqual(['preview', 'strip', 'edit'])
  const late = start('late strip', 'pictures')
  await hasBegun('late strip')
  end('late strip')
  await late
  expect(begun).not.toContain('other edit')
  end('edit')
  await edit
  await hasBegun('other edit')
  end('other edit')
  await other
})

it('lets waiting work be called off at once, and never begins it', async () => {
  const { begun, start, end } = works()
  const strip = start('strip', 'pictures')
  const over = new AbortController()
  const preview = start('preview', 'preview', over.signal)
  const next = start('next preview', 'preview')
  over.abort()
  await expect(preview).rejects.toMatchObject({ name: 'AbortError' })
  end('strip')
  await strip
  await Promise.resolve()
  expect(begun).toEqual(['strip', 'next preview'])
  end('next preview')
  expect(await next).toBe('next preview')
})

it('goes on after work that failed', async () => {
  const turns = createTurns()
  await expect(
    turns.take('pictures', never, () => Promise.reject(new Error('broken'))),
  ).rejects.toThrow('broken')
  expect(await turns.take('preview', never, async () => 'made')).toBe('made')
})

it('NOW-04 goes on with a search behind everything else, also behind an edit that is made', async () => {
  const { begun, start, end } = works()
  const making = start('edit', 'make')
  const step = start('step', 'search')
  const later = start('later edit', 'make')
  const strip = start('strip', 'pictures')
  await vi.waitFor(() => expect(begun).toEqual(['edit', 'strip']))
  end('strip')
  await strip
  expect(begun).toEqual(['edit', 'strip'])
  end('edit')
  await making
  await vi.waitFor(() => expect(begun).toEqual(['edit', 'strip', 'later edit']))
  end('later edit')
  await later
  await vi.waitFor(() => expect(begun.at(-1)).toBe('step'))
  end('step')
  expect(await step).toBe('step')
})
