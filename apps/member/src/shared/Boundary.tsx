import { Component, type ReactNode } from "react";

interface Props {
  /** Drawn in place of children that broke while drawing. */
  readonly broken: ReactNode;
  /** Another value gives the children another try. */
  readonly resetBy?: string;
  readonly children: ReactNode;
}

interface State {
  readonly isBroken: boolean;
  readonly resetBy: string | undefined;
}

/** Keeps what breaks while drawing from taking the whole page with it. */
export class Boundary extends Component<Props, State> {
  override state: State = { isBroken: false, resetBy: this.props.resetBy };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  static getDerivedStateFromProps({ resetBy }: Props, before: State): State | null {
    return resetBy === before.resetBy ? null : { isBroken: false, resetBy };
  }

  override render() {
    return this.state.isBroken ? this.props.broken : this.props.children;
  }
}
