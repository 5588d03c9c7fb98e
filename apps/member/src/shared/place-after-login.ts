/**
 * Returns the place requested before the login if it is one of the app's screens, otherwise home; never another site.
 */
export function placeAfterLogin(next: string | undefined): string {
  return next?.startsWith("/pages/") && !next.startsWith("/pages/index/") ? next : "/pages/home/index";
}
