/** The mark and the name. */
export function Logo() {
  return (
    <span className="flex items-center gap-2.5">
      <img src="/icons/icon.svg" alt="" width={34} height={34} className="size-8.5" />
      <span className="text-xl font-bold tracking-tight text-ink">Onecut</span>
    </span>
  )
}
