import { SupportAddress } from '#src/components/help/SupportAddress.tsx'
import type { Licences } from './read-licences.ts'

/** How long the written offer of the GNU General Public License, version 2, 3b, must be valid. */
const OFFER_YEARS = 3

/** The GPL's offer of source for the core, and the places where that source is. */
export function CoreSource({ parts }: { readonly parts: Licences['coreParts'] }) {
  return (
    <section aria-labelledby="core-source">
      <h2 id="core-source" className="text-2xl font-bold">
        Source of the ffmpeg core
      </h2>
      <div className="mt-3 flex max-w-prose flex-col gap-3 text-ink-muted">
        <p>
          Your browser downloads @ffmpeg/core when it first makes a preview. It is under the GNU
          General Public License, version 2 or later, and unchanged as its makers published it. It
          runs in a worker of its own and is no part of the rest of the app.
        </p>
        <p>
          {`Offer: for ${OFFER_YEARS} years after you got the core from this server, its operator gives anyone the complete corresponding source, with the scripts that build it, for no more than the cost of sending it.`}{' '}
          <SupportAddress before="Write to" /> The same source is at the addresses below.
        </p>
      </div>
      <ul className="mt-4 grid gap-x-8 gap-y-3 sm:grid-cols-2 lg:grid-cols-3">
        {parts.map(({ name, version, licence, source }) => (
          <li key={name} className="min-w-0">
            <a
              href={source}
              target="_blank"
              rel="noopener noreferrer"
              className="font-medium wrap-anywhere text-accent underline underline-offset-4"
            >
              {`${name} ${version}`}
            </a>
            <p className="text-sm text-ink-muted">{licence}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
