import { useSupportMail } from '#src/hooks/server/use-support-mail.ts'

/**
 * The operator's address for questions, after the words that lead to it; says so where the operator
 * has not set one or it is not known on this device yet.
 */
export function SupportAddress({ before }: { readonly before: string }) {
  return <KnownAddress before={before} mail={useSupportMail()} />
}

/** The same for an address that was asked for elsewhere; undefined while it is not known. */
export function KnownAddress({
  before,
  mail,
}: {
  readonly before: string
  readonly mail: string | null | undefined
}) {
  if (mail === undefined) return 'The address of support is not known on this device yet.'
  if (mail === null) return 'The operator of this server has not set an address for questions.'
  return (
    <>
      {`${before} `}
      <a
        href={`mailto:${mail}`}
        className="font-medium wrap-anywhere text-ink underline underline-offset-4"
      >
        {mail}
      </a>
      .
    </>
  )
}
