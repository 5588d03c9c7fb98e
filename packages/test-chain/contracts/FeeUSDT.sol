// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// NoReturnUSDT with the fee that main-net USDT has in its code and its owner can switch on. It has the same storage
/// layout, so that its code can replace the other's.
contract FeeUSDT {
    uint8 public constant decimals = 6;
    address private constant COLLECTOR = address(0xfee);

    bool public paused;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;

    event Transfer(address indexed from, address indexed to, uint256 value);

    /// A hundredth of each transfer goes to the collector.
    function transfer(address to, uint256 value) external {
        uint256 fee = value / 100;
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value - fee;
        balanceOf[COLLECTOR] += fee;
        emit Transfer(msg.sender, to, value - fee);
        emit Transfer(msg.sender, COLLECTOR, fee);
    }
}
