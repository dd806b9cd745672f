import { useCapabilities } from '#src/hooks/server/use-capabilities.ts'
import { paths } from '#src/config/paths.ts'
import { LinkButton, type LinkButtonProps } from '#src/ui/LinkButton.tsx'
import { connectAddress } from './connect-address.ts'
import { NoDrive } from './NoDrive.tsx'

/** The way to Google and back; says where this server has none. */
export function ConnectDrive({
  label,
  provider,
  landing = paths.externalAuths,
  ...look
}: Pick<LinkButtonProps, 'variant' | 'size' | 'className'> & {
  readonly label: string
  readonly provider: string
  /** Where the person comes back to. */
  readonly landing?: string
}) {
  const capabilities = useCapabilities()
  const address = connectAddress(provider, { landing })
  if (!address.ok) return <span className="text-sm text-bad">{address.error}</span>
  if (capabilities.data?.areas.externalAuths === false) return <NoDrive label={label} />
  return (
    <LinkButton to={address.value} isDocument {...look}>
      {label}
    </LinkButton>
  )
}
