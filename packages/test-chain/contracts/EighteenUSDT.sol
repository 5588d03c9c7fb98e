// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {TestUSDT} from "./TestUSDT.sol";

/// Like USDT on BNB Smart Chain, where a whole token is 10^18 of its smallest units.
contract EighteenUSDT is TestUSDT {
    function decimals() public pure override returns (uint8) {
        return 18;
    }
}
