import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HELP_FILE, helpPage, helpPagesSource } from '#scripts/help-pages.ts'
import { projectRoot } from '#scripts/project-root.ts'
import { HELP_SLUGS } from '#src/config/help-pages.ts'
import { HELP_PAGES } from '#src/features/help/help-texts.gen.ts'
import { searchHelp, textOf } from '#src/features/help/search-help.ts'

const links = HELP_SLUGS.flatMap((slug) => {
  const { lead, sections } = HELP_PAGES[slug]
  return [...lead, ...sections.flatMap(({ blocks }) => blocks)]
    .flatMap((block) => (block.kind === 'paragraph' ? block.words : block.items.flat()))
    .flatMap((word) => (word.kind === 'link' ? [word.to] : []))
})

describe('the help', () => {
  it('LIF-05 is what docs/help says; `npm run help` writes it', async () => {
    const written = await readFile(join(projectRoot, HELP_FILE), 'utf8')
    expect(written).toBe(await helpPagesSource(projectRoot))
  })

  it('LIF-05 has short pages with sections, and links that lead to pages of the help', () => {
    for (const slug of HELP_SLUGS) {
      const { title, sections } = HELP_PAGES[slug]
      const words = sections.map(({ blocks }) => textOf(blocks)).join(' ')
      expect(sections.length, title).toBeGreaterThan(1)
      expect(words.length, title).toBeLessThan(2_500)
    }
    const toHelp = links.filter((to) => to.startsWith('/help/'))
    expect(toHelp.filter((to) => !HELP_SLUGS.some((slug) => `/help/${slug}` === to))).toEqual([])
  })

  it('LIF-05 refuses a text that the app could not show', () => {
    expect(() => helpPage('paying', 'No title')).toThrow('begin with its title')
    expect(() => helpPage('paying', '# A\n\n![x](y)')).toThrow('has a image')
    expect(() => helpPage('paying', '# A\n\n[x](https://x.example)')).toThrow('no page')
    expect(() => helpPage('paying', '# A\n\n## B\n\nx\n\n## B\n\ny')).toThrow('one title')
  })
})

describe('searching the help', () => {
  const found = (question: string) => searchHelp(HELP_PAGES, question)

  it.each([
    ['refund', 'refunds'],
    ['CODE not accepted', 'signing-in'],
    ['hotel wi-fi', 'uploads-slow-lines'],
    ['delete account', 'deleting-your-account'],
    ['receipt', 'paying'],
    ['passkey', 'signing-in'],
    ['other device upload', 'another-device'],
    ['cafes', 'uploads-slow-lines'],
  ])('LIF-05 %s leads to %s', (question, slug) => {
    expect(found(question)[0]?.slug).toBe(slug)
  })

  it('LIF-05 leads to the section, with the words around what was asked for', () => {
    const [hit] = found('captive sign network')
    expect(hit).toBeUndefined()
    expect(found('sign in to the network')[0]).toMatchObject({
      slug: 'uploads-slow-lines',
      section: { id: 'hotels-trains-and-cafes' },
    })
    expect(found('  ')).toEqual([])
  })
})
