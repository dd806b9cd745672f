import { SearchX } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { helpGroups, type HelpSlug } from '#src/config/help-pages.ts'
import { paths } from '#src/config/paths.ts'
import { useSellsTokens } from '#src/hooks/pay/use-sells-tokens.ts'
import { Card } from '#src/ui/Card.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { Page } from '#src/ui/Page.tsx'
import { TextField } from '#src/ui/TextField.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { ContactSupport } from './ContactSupport.tsx'
import { HELP_PAGES } from './help-texts.gen.ts'
import { searchHelp } from './search-help.ts'

/**
 * `/help`: the help pages by topic, and the search through them. Works without a connection. What
 * is about paying is there only where something is sold.
 */
export function HelpScreen() {
  const [params, setParams] = useSearchParams()
  const groups = helpGroups(useSellsTokens())
  const question = params.get('search') ?? ''
  const change = (text: string) =>
    setParams(text === '' ? {} : { search: text }, { replace: true, preventScrollReset: true })
  return (
    <Page title="Help" lead="Short answers, also without a connection.">
      <search className="mb-8 block max-w-prose">
        <TextField
          label="Search the help"
          type="search"
          placeholder="refund, hotel Wi-Fi, code"
          value={question}
          onChange={change}
          maxLength={100}
          autoComplete="off"
        />
      </search>
      {question.trim() === '' ? (
        <Contents groups={groups} />
      ) : (
        <Hits question={question} groups={groups} />
      )}
      <ContactSupport />
    </Page>
  )
}

type Groups = ReturnType<typeof helpGroups>

function Contents({ groups }: { readonly groups: Groups }) {
  return (
    <div className="grid gap-6 sm:grid-cols-2">
      {groups.map(({ title, slugs }) => (
        <Card key={title} as="section" labelledBy={`help-${slugs[0]}`}>
          <h2 id={`help-${slugs[0]}`} className="text-xl font-semibold">
            {title}
          </h2>
          <ul className="mt-3 flex flex-col">
            {slugs.map((slug: HelpSlug) => (
              <li key={slug}>
                <TextLink
                  to={paths.helpPage(slug)}
                  className="inline-block max-w-full py-2 wrap-anywhere pointer-coarse:py-2.5"
                >
                  {HELP_PAGES[slug].title}
                </TextLink>
              </li>
            ))}
          </ul>
        </Card>
      ))}
    </div>
  )
}

function Hits({ question, groups }: { readonly question: string; readonly groups: Groups }) {
  const shown = new Set(groups.flatMap(({ slugs }): readonly HelpSlug[] => slugs))
  const hits = searchHelp(HELP_PAGES, question).filter(({ slug }) => shown.has(slug))
  return (
    <section aria-label="Search results">
      <p role="status" className="mb-4 text-sm text-ink-muted">
        {hits.length === 1 ? '1 page' : `${hits.length} pages`}
      </p>
      {hits.length === 0 ? (
        <EmptyState icon={<SearchX />} title={`Nothing found for “${question.trim()}”`}>
          Try one word less, or another word.
        </EmptyState>
      ) : (
        <ul className="flex max-w-prose flex-col gap-4">
          {hits.map(({ slug, title, section, excerpt }) => (
            <li key={slug}>
              <Link
                to={{
                  pathname: paths.helpPage(slug),
                  ...(section === null ? {} : { hash: section.id }),
                }}
                className="block rounded-card border border-line bg-surface p-5 shadow-1 hover:border-line-control"
              >
                <span className="block font-semibold">{title}</span>
                {section === null ? null : (
                  <span className="block text-sm font-medium text-accent">{section.title}</span>
                )}
                <span className="mt-1 block text-sm leading-relaxed text-ink-muted">{excerpt}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
