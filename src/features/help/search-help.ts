import { HELP_SLUGS, type HelpBlock, type HelpPage, type HelpSlug } from '#src/config/help-pages.ts'

/** Where words were found: a page, or one section of it. */
export interface HelpHit {
  readonly slug: HelpSlug
  readonly title: string
  /** The section that has most of them; null where the beginning of the page has. */
  readonly section: { readonly id: string; readonly title: string } | null
  /** The text around the first of them. */
  readonly excerpt: string
}

/** By how much a word counts more in a title than in the text. */
const WEIGHTS = { pageTitle: 9, sectionTitle: 5, text: 1 } as const
const EXCERPT_CHARACTERS = 140

/**
 * The pages that have all words of the question, best first; none for an empty question. A word is
 * found at the beginning of a word, whatever its case and accents.
 */
export function searchHelp(
  pages: Readonly<Record<HelpSlug, HelpPage>>,
  question: string,
): readonly HelpHit[] {
  const asked = wordsOf(question)
  if (asked.length === 0) return []
  return HELP_SLUGS.flatMap((slug) => hitOf(slug, pages[slug], asked))
    .toSorted((a, b) => b.score - a.score)
    .map(({ hit }) => hit)
}

function hitOf(
  slug: HelpSlug,
  page: HelpPage,
  asked: readonly string[],
): readonly { readonly hit: HelpHit; readonly score: number }[] {
  const places = [
    { section: null, title: '', text: textOf(page.lead) },
    ...page.sections.map(({ id, title, blocks }) => ({
      section: { id, title },
      title,
      text: textOf(blocks),
    })),
  ]
  const whole = [page.title, ...places.flatMap(({ title, text }) => [title, text])].join(' ')
  if (!asked.every((word) => count(whole, word) > 0)) return []
  const scored = places
    .map((place) => ({
      place,
      score: total(
        asked,
        (word) =>
          WEIGHTS.sectionTitle * count(place.title, word) + WEIGHTS.text * count(place.text, word),
      ),
    }))
    .toSorted((a, b) => b.score - a.score)
  const best = scored[0]
  const inTitle = total(asked, (word) => WEIGHTS.pageTitle * count(page.title, word))
  return [
    {
      hit: {
        slug,
        title: page.title,
        section: best?.place.section ?? null,
        excerpt: excerptOf(best?.place.text ?? '', asked),
      },
      score: inTitle + total(scored, ({ score }) => score),
    },
  ]
}

function total<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0)
}

/** How many words of a text begin with this one. */
function count(text: string, word: string): number {
  return wordsOf(text).filter((candidate) => candidate.startsWith(word)).length
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFD')
      .replaceAll(/\p{Diacritic}/gu, '')
      .toLowerCase()
      .match(/[\p{Letter}\p{Number}]+/gu) ?? []
  )
}

/** All words of some blocks, as one text. */
export function textOf(blocks: readonly HelpBlock[]): string {
  return blocks
    .flatMap((block) => (block.kind === 'paragraph' ? [block.words] : block.items))
    .map((words) => words.map(({ text }) => text).join(''))
    .join(' ')
}

/** The text from the sentence on that has the first of the words. */
function excerptOf(text: string, asked: readonly string[]): string {
  const sentences = text.split(/(?<=[.!?:])\s+/)
  const first = sentences.findIndex((sentence) => asked.some((word) => count(sentence, word) > 0))
  const excerpt = sentences.slice(Math.max(0, first)).join(' ')
  return excerpt.length <= EXCERPT_CHARACTERS
    ? excerpt
    : `${excerpt.slice(0, excerpt.lastIndexOf(' ', EXCERPT_CHARACTERS))}…`
}
