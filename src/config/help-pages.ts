/**
 * The pages of the help, in the order of its contents; `docs/help` has a text for each. A new page
 * adds its text and its line here.
 */
export const HELP_GROUPS = [
  {
    title: 'Uploading',
    slugs: [
      'uploads-slow-lines',
      'closing-the-page',
      'another-device',
      'links',
      'drive',
      'dropbox',
    ],
  },
  {
    title: 'Edits',
    slugs: [
      'choosing-edits',
      'choosing-moments',
      'making-an-edit-again',
      'sets-of-edits',
      'sound-edits',
      'media-assets',
      'downloads',
    ],
  },
  {
    title: 'Paying',
    slugs: ['prices-and-tokens', 'paying', 'refunds', 'subscription'],
    // Where nothing is sold, they would tell of prices that no user pays.
    isAboutSales: true,
  },
  {
    title: 'Your account',
    slugs: ['signing-in', 'messages', 'discreet', 'privacy', 'reporting', 'deleting-your-account'],
  },
] as const

export type HelpSlug = (typeof HELP_GROUPS)[number]['slugs'][number]

/** Every page once, in the order of the contents. */
export const HELP_SLUGS: readonly HelpSlug[] = HELP_GROUPS.flatMap(({ slugs }) => [...slugs])

/** The groups that are true of a server which sells tokens, or sells nothing. */
export function helpGroups(isSold: boolean): readonly (typeof HELP_GROUPS)[number][] {
  return HELP_GROUPS.filter((group) => isSold || !('isAboutSales' in group))
}

/** A piece of a sentence. A link leads to a path of the app. */
export type HelpWords =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'strong'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly to: string }

export type HelpBlock =
  | { readonly kind: 'paragraph'; readonly words: readonly HelpWords[] }
  | {
      readonly kind: 'list'
      readonly isOrdered: boolean
      readonly items: readonly (readonly HelpWords[])[]
    }

export interface HelpSection {
  /** Its anchor: the title in lower case, words joined by hyphens. */
  readonly id: string
  readonly title: string
  readonly blocks: readonly HelpBlock[]
}

/** One text of `docs/help`. */
export interface HelpPage {
  readonly title: string
  /** What comes before the first section. */
  readonly lead: readonly HelpBlock[]
  readonly sections: readonly HelpSection[]
}
