import { Link } from 'react-router'
import { useSupportMail } from '#src/hooks/server/use-support-mail.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { Page } from '#src/ui/Page.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'

/** Stands for the operator's address for questions in a text. */
export const SUPPORT = '{support}'

export interface LegalSection {
  /** Its anchor, which links from elsewhere rely on. */
  readonly id: string
  readonly title: string
  /** Paragraphs; a list is one of bullets. */
  readonly body: readonly (string | readonly string[])[]
}

export interface LegalDocumentProps {
  readonly title: string
  readonly lead: string
  /** What search engines may do with the page. */
  readonly robots: 'index, follow' | 'noindex' | 'noindex, nofollow'
  readonly sections: readonly LegalSection[]
  /** Other documents that this one relies on. */
  readonly related: readonly { readonly to: string; readonly title: string }[]
}

/** A legal text with a table of contents; each section has an anchor. Reads well on paper too. */
export function LegalDocument({ title, lead, robots, sections, related }: LegalDocumentProps) {
  return (
    <Page title={title} lead={lead}>
      {robots === 'index, follow' ? null : <meta name="robots" content={robots} />}
      <Notice kind="warning" title="A draft for counsel" className="mb-10 max-w-prose">
        This text was written for this product and says what it does today. No lawyer has checked it
        yet.
      </Notice>
      <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[18rem_minmax(0,1fr)] print:block">
        <nav
          aria-label="Contents"
          className="rounded-card border border-line bg-surface p-5 lg:sticky lg:top-24 lg:max-h-[calc(100dvh-8rem)] lg:overflow-y-auto print:hidden"
        >
          <ol className="flex flex-col gap-1 text-[0.9375rem]">
            {sections.map((section, index) => (
              <li key={section.id}>
                <Link
                  to={{ hash: section.id }}
                  className="block rounded-sm py-1 pointer-coarse:flex pointer-coarse:min-h-11 pointer-coarse:items-center text-ink-muted hover:text-accent hover:underline"
                >
                  {`${index + 1}. ${section.title}`}
                </Link>
              </li>
            ))}
          </ol>
        </nav>
        <div className="flex max-w-prose flex-col gap-10">
          {sections.map((section, index) => (
            <Section key={section.id} number={index + 1} section={section} />
          ))}
          <p className="flex flex-wrap gap-x-6 gap-y-2">
            {related.map((other) => (
              <TextLink key={other.to} to={other.to}>
                {other.title}
              </TextLink>
            ))}
          </p>
        </div>
      </div>
    </Page>
  )
}

function Section({
  number,
  section: { id, title, body },
}: {
  readonly number: number
  readonly section: LegalSection
}) {
  // Where the operator has set no address, or this device does not know it yet.
  const support = useSupportMail() ?? 'the operator of this server'
  const shown = (text: string) => text.replaceAll(SUPPORT, support)
  return (
    <section id={id} className="scroll-mt-24 break-inside-avoid-page">
      <h2 className="text-2xl font-bold">{`${number}. ${title}`}</h2>
      <div className="mt-3 flex flex-col gap-3 text-ink-muted">
        {body.map((block, index) =>
          typeof block === 'string' ? (
            <p key={index}>{shown(block)}</p>
          ) : (
            <ul key={index} className="list-disc space-y-2 pl-5">
              {block.map((item) => (
                <li key={item}>{shown(item)}</li>
              ))}
            </ul>
          ),
        )}
      </div>
    </section>
  )
}
