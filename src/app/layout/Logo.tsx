/** The mark and the name. */
export function Logo() {
  return (
    <span className="flex items-center gap-2.5">
      <img
        src="/icons/icon.svg"
        alt=""
        width={34}
        height={34}
        className="size-[min(2.125rem,12vw)]"
      />
      <span className="text-[min(1.25rem,8vw)] font-bold tracking-tight text-ink">Onecut</span>
    </span>
  )
}
