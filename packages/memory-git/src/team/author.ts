/** Who made a change. Anyone who can push can use any name, so only a verified author can be trusted. */
export interface TeamAuthor {
  /** As given in the change. */
  readonly name: string;
  readonly email: string;
  /**
   * The fingerprint of the SSH key that signed the change, such as `SHA256:…`. Left out for changes without a valid
   * signature; such authors cannot be approved.
   */
  readonly key?: string | undefined;
  /** Whether it is this user, or the user approved the key. */
  readonly isApproved: boolean;
}
