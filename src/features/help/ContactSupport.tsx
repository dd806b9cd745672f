import { SupportAddress } from '#src/components/help/SupportAddress.tsx'

/** Where to ask what the help does not answer. */
export function ContactSupport() {
  return (
    <aside
      aria-labelledby="contact-support"
      className="mt-12 rounded-card border border-line bg-surface-sunken p-6"
    >
      <h2 id="contact-support" className="text-lg font-semibold">
        Not answered here?
      </h2>
      <p className="mt-1 text-ink-muted">
        <SupportAddress before="Write to" />
      </p>
      <p className="mt-1 text-ink-muted print:hidden">
        If something does not work, press &apos;Contact support&apos; at the foot of the page where
        it happened. A report of it can be copied there.
      </p>
    </aside>
  )
}
