/**
 * Turns the texts of `docs/help` into data, so that the app shows, searches and precaches them
 * without a Markdown parser.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fromMarkdown } from 'mdast-util-from-markdown'
import * as v from 'valibot'
import {
  HELP_SLUGS,
  type HelpBlock,
  type HelpPage,
  type HelpSection,
  type HelpSlug,
  type HelpWords,
} from '#src/config/help-pages.ts'

/** Where the data lies, from the root of the project. */
export const HELP_FILE = 'src/features/help/help-texts.gen.ts'

/** What a text may have. Anything else is refused: the app could not show it. */
interface Node {
  readonly type: string
  readonly value?: string | undefined
  readonly depth?: number | undefined
  readonly url?: string | undefined
  readonly ordered?: boolean | undefined
  readonly children?: readonly Node[] | undefined
}
const NODE: v.GenericSchema<unknown, Node> = v.object({
  type: v.string(),
  value: v.optional(v.string()),
  depth: v.optional(v.number()),
  url: v.optional(v.string()),
  ordered: v.optional(v.boolean()),
  children: v.optional(v.array(v.lazy(() => NODE))),
})

/** The source of the data. Throws with the file and what is wrong in it. @param root the project */
export async function helpPagesSource(root: string): Promise<string> {
  const folder = join(root, 'docs/help')
  const files = (await readdir(folder)).filter((file) => file.endsWith('.md'))
  const unlisted = files.filter((file) => !HELP_SLUGS.some((slug) => `${slug}.md` === file))
  if (unlisted.length > 0)
    throw new Error(`docs/help/${unlisted.join()} is not in src/config/help-pages.ts`)
  const pages = await Promise.all(
    HELP_SLUGS.map(async (slug) => {
      const text = await readFile(join(folder, `${slug}.md`), 'utf8')
      return [slug, helpPage(slug, text)] as const
    }),
  )
  return `/** Written by \`npm run help\` from docs/help. */
import type { HelpPage, HelpSlug } from '#src/config/help-pages.ts'

export const HELP_PAGES: Readonly<Record<HelpSlug, HelpPage>> = ${JSON.stringify(Object.fromEntries(pages), null, 2)}
`
}

/** One text as data. */
export function helpPage(slug: HelpSlug, text: string): HelpPage {
  const refuse = (what: string): never => {
    throw new Error(`docs/help/${slug}.md: ${what}`)
  }
  const [first, ...rest] = v.parse(NODE, fromMarkdown(text)).children ?? []
  if (first?.type !== 'heading' || first.depth !== 1) return refuse('has to begin with its title')
  const lead: HelpBlock[] = []
  const sections: HelpSection[] = []
  for (const node of rest) {
    const section = sections.at(-1)
    if (node.type === 'heading') {
      if (node.depth !== 2) refuse('has a heading that is not of level 2')
      const title = plain(node)
      sections.push({ id: anchorOf(title), title, blocks: [] })
    } else if (section === undefined) lead.push(blockOf(node, refuse))
    else
      sections[sections.length - 1] = {
        ...section,
        blocks: [...section.blocks, blockOf(node, refuse)],
      }
  }
  if (new Set(sections.map(({ id }) => id)).size < sections.length)
    refuse('has two sections of one title')
  return { title: plain(first), lead, sections }
}

type Refuse = (what: string) => never

function blockOf(node: Node, refuse: Refuse): HelpBlock {
  if (node.type === 'paragraph') return { kind: 'paragraph', words: wordsOf(node, refuse) }
  if (node.type !== 'list') return refuse(`has a ${node.type}, which the help cannot show`)
  return {
    kind: 'list',
    isOrdered: node.ordered === true,
    items: (node.children ?? []).map((item) => {
      const [words, ...others] = item.children ?? []
      return words?.type === 'paragraph' && others.length === 0
        ? wordsOf(words, refuse)
        : refuse('has a list item that is not one paragraph')
    }),
  }
}

function wordsOf(node: Node, refuse: Refuse): readonly HelpWords[] {
  return (node.children ?? []).map((child): HelpWords => {
    switch (child.type) {
      case 'text':
        return { kind: 'text', text: plain(child) }
      case 'strong':
        return { kind: 'strong', text: plain(child) }
      case 'link':
        return { kind: 'link', text: plain(child), to: pathOf(child.url ?? '', refuse) }
      default:
        return refuse(`has a ${child.type}, which the help cannot show`)
    }
  })
}

/** The path in the app of `other-page.md` or `app:/path`. */
function pathOf(url: string, refuse: Refuse): string {
  if (url.startsWith('app:/')) return url.slice('app:'.length)
  const slug = HELP_SLUGS.find((one) => url === `${one}.md`)
  return slug === undefined
    ? refuse(`links to ${url}, which is no page of the app`)
    : `/help/${slug}`
}

/** The text of a node, with the line breaks of its file as spaces. */
function plain(node: Node): string {
  const text = node.value ?? (node.children ?? []).map(plain).join('')
  return text.replaceAll(/\s+/g, ' ')
}

function anchorOf(title: string): string {
  return (
    title
      .normalize('NFD')
      .replaceAll(/\p{Diacritic}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  ).join('-')
}
