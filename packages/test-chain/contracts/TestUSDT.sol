// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// Test money in OpenZeppelin's form: `transfer` returns true. Anyone can mint it, because it is worth nothing.
contract TestUSDT is ERC20 {
    constructor() ERC20("Test USDT", "USDT") {}

    function decimals() public pure virtual override returns (uint8) {
        return 6;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// Several transfers in one transaction, as payment services make them.
    function transferMany(address[] calldata to, uint256[] calldata amounts) external {
        require(to.length == amounts.length, "one amount for each receiver");
        for (uint256 index = 0; index < to.length; index++) {
            _transfer(msg.sender, to[index], amounts[index]);
        }
    }
}
