import { ArrowLeft } from 'lucide-react'
import { Link, useParams } from 'react-router'
import {
  helpGroups,
  HELP_SLUGS,
  type HelpBlock,
  type HelpSection,
  type HelpSlug,
  type HelpWords,
} from '#src/config/help-pages.ts'
import { paths } from '#src/config/paths.ts'
import { useSellsTokens } from '#src/hooks/pay/use-sells-tokens.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Page } from '#src/ui/Page.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { ContactSupport } from './ContactSupport.tsx'
import { HELP_PAGES } from './help-texts.gen.ts'

/** `/help/{slug}`: one text of the help, with an anchor for each section. Reads well on paper. */
export function HelpPageScreen() {
  const slug = slugOf(useParams()['slug'])
  if (slug === null) return <NoSuchPage />
  const { title, lead, sections } = HELP_PAGES[slug]
  return (
    <Page title={title}>
      <p className="-mt-5 mb-8 print:hidden">
        <TextLink to={paths.help} className="inline-flex items-center gap-1.5 py-2">
          <ArrowLeft aria-hidden className="size-4" />
          All help
        </TextLink>
      </p>
      <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_18rem] print:block">
        <article className="flex max-w-prose flex-col gap-8 text-[1.0625rem] leading-relaxed">
          <NothingSold slug={slug} />
          <Blocks blocks={lead} />
          {sections.map((section) => (
            <Section key={section.id} section={section} />
          ))}
        </article>
        <Contents sections={sections} />
      </div>
      <ContactSupport />
    </Page>
  )
}

/** Above a page about paying, where nothing is sold: links of other pages still lead to it. */
function NothingSold({ slug }: { readonly slug: HelpSlug }) {
  const groups = helpGroups(useSellsTokens())
  if (groups.some(({ slugs }) => (slugs as readonly HelpSlug[]).includes(slug))) return null
  return (
    <Notice>
      Edits cost nothing on this server, and nothing is sold here. This page is about servers that
      sell tokens.
    </Notice>
  )
}

function slugOf(given: string | undefined): HelpSlug | null {
  return HELP_SLUGS.find((slug) => slug === given) ?? null
}

/** An address of the help that leads nowhere, such as one from a newer version of the app. */
function NoSuchPage() {
  return (
    <Page title="Help" width="narrow">
      <EmptyState
        title="This help page does not exist"
        action={<LinkButton to={paths.help}>All help</LinkButton>}
      >
        It may have got another name. The search finds it by its words.
      </EmptyState>
    </Page>
  )
}

function Contents({ sections }: { readonly sections: readonly HelpSection[] }) {
  return (
    <nav
      aria-label="On this page"
      className="order-first rounded-card border border-line bg-surface p-5 lg:sticky lg:top-24 lg:order-last print:hidden"
    >
      <p className="text-sm font-semibold text-ink-muted">On this page</p>
      <ol className="mt-2 flex flex-col text-[0.9375rem]">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <Link
              to={{ hash: id }}
              className="block rounded-sm py-1.5 text-ink hover:text-accent hover:underline"
            >
              {title}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}

function Section({ section: { id, title, blocks } }: { readonly section: HelpSection }) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="scroll-mt-24 break-inside-avoid-page"
    >
      <h2 id={`${id}-title`} className="mb-3 text-2xl font-bold">
        {title}
      </h2>
      <div className="flex flex-col gap-3">
        <Blocks blocks={blocks} />
      </div>
    </section>
  )
}

function Blocks({ blocks }: { readonly blocks: readonly HelpBlock[] }) {
  return blocks.map((block, index) => {
    if (block.kind === 'paragraph')
      return (
        <p key={index}>
          <Words words={block.words} />
        </p>
      )
    const items = block.items.map((words, at) => (
      <li key={at}>
        <Words words={words} />
      </li>
    ))
    return block.isOrdered ? (
      <ol key={index} className="list-decimal space-y-2 pl-6">
        {items}
      </ol>
    ) : (
      <ul key={index} className="list-disc space-y-2 pl-6">
        {items}
      </ul>
    )
  })
}

function Words({ words }: { readonly words: readonly HelpWords[] }) {
  return words.map((word, index) => {
    switch (word.kind) {
      case 'text':
        return word.text
      case 'strong':
        return <strong key={index}>{word.text}</strong>
      case 'link':
        return (
          <TextLink key={index} to={word.to}>
            {word.text}
          </TextLink>
        )
    }
  })
}
